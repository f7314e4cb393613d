//! Lifetimes of account and policy entries. A payment's fee includes the rent for extending them, and sponsors limit
//! that fee. So payments extend entries rarely and briefly, and changes to the account extend them for longer.

use soroban_sdk::Env;

const A_DAY: u32 = 17_280;

/// The remaining lifetime at which a payment extends an entry.
pub const NEARLY_OVER: u32 = A_DAY;
/// The lifetime after an extension by a payment, and of a new entry on testnet.
pub const WEEK: u32 = 7 * A_DAY;
/// The lifetime after an extension by a change to the account.
pub const MONTH: u32 = 30 * A_DAY;

/// Extends the running contract's lifetime if it is about to end. Payments call this.
pub fn keep_alive(env: &Env) {
    extend(env, NEARLY_OVER, WEEK);
}

/// Extends the running contract's lifetime to a month. Changes to the account call this.
pub fn keep_long(env: &Env) {
    extend(env, MONTH - A_DAY, MONTH);
}

/// Extends only the instance. All instances share the module, which is large: its rent would occasionally make a
/// payment cost more than sponsors bid. Anyone can extend the module, for all instances at once.
fn extend(env: &Env, threshold: u32, to: u32) {
    let this = env.current_contract_address();
    env.deployer()
        .extend_ttl_for_contract_instance(this, threshold, to);
}
