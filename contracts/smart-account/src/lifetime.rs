//! How long entries live. Whoever pays with the account pays for prolonging them, and a sponsor looks at every stroop
//! of a payment: so it is done seldom there and by little, and by more when the account is changed.

use soroban_sdk::Env;

const A_DAY: u32 = 17_280;

/// What is left of a life when a payment prolongs it.
pub const NEARLY_OVER: u32 = A_DAY;
/// What a payment prolongs a life to: what a new entry has on testnet.
pub const WEEK: u32 = 7 * A_DAY;
/// What a change of the account prolongs a life to.
pub const MONTH: u32 = 30 * A_DAY;

/// Prolongs the account's own life when it is nearly over.
pub fn keep_alive(env: &Env) {
    prolong(env, NEARLY_OVER, WEEK);
}

/// Prolongs the account's own life to a month.
pub fn keep_long(env: &Env) {
    prolong(env, MONTH - A_DAY, MONTH);
}

/// The instance alone. The module is shared by all accounts and large: its rent would make one payment now and then
/// cost more than sponsors bid. Anybody prolongs it, for all accounts at once.
fn prolong(env: &Env, threshold: u32, to: u32) {
    let this = env.current_contract_address();
    env.deployer()
        .extend_ttl_for_contract_instance(this, threshold, to);
}
