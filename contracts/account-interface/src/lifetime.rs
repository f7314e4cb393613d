//! How long the entries of accounts and policies live. Whoever pays with the account pays for extending them, and a
//! sponsor looks at every stroop of a payment: a payment extends seldom and by little, a change of the account by more.

use soroban_sdk::Env;

const A_DAY: u32 = 17_280;

/// What is left of a life when a payment extends it.
pub const NEARLY_OVER: u32 = A_DAY;
/// What a payment extends a life to: what a new entry has on testnet.
pub const WEEK: u32 = 7 * A_DAY;
/// What a change of the account extends a life to.
pub const MONTH: u32 = 30 * A_DAY;

/// Extends the running contract's life when it is nearly over. For a payment.
pub fn keep_alive(env: &Env) {
    extend(env, NEARLY_OVER, WEEK);
}

/// Extends the running contract's life to a month. For a change of the account.
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
