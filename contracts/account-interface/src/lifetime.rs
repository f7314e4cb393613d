//! Lifetimes of the entries of accounts and policies. A payment's fee includes the rent for extending them, and sponsors
//! limit that fee. So a payment extends entries rarely and briefly, and a change of the account extends them for longer.

use soroban_sdk::Env;

const A_DAY: u32 = 17_280;

/// Remaining lifetime at which a payment extends an entry.
pub const NEARLY_OVER: u32 = A_DAY;
/// Lifetime after an extension by a payment, and of a new entry on testnet.
pub const WEEK: u32 = 7 * A_DAY;
/// Lifetime after an extension by a change of the account.
pub const MONTH: u32 = 30 * A_DAY;

/// Extends the running contract's lifetime when it is nearly over. For payments.
pub fn keep_alive(env: &Env) {
    extend(env, NEARLY_OVER, WEEK);
}

/// Extends the running contract's lifetime to a month. For changes of the account.
pub fn keep_long(env: &Env) {
    extend(env, MONTH - A_DAY, MONTH);
}

/// The instance alone. The module is shared by all instances and large: its rent would make one payment now and then
/// cost more than sponsors bid. Anybody extends it, for all of them at once.
fn extend(env: &Env, threshold: u32, to: u32) {
    let this = env.current_contract_address();
    env.deployer()
        .extend_ttl_for_contract_instance(this, threshold, to);
}
