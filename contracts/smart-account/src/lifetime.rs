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

/// Prolongs the account's own life, module included, when it is nearly over.
pub fn keep_alive(env: &Env) {
    env.storage().instance().extend_ttl(NEARLY_OVER, WEEK);
}

/// Prolongs the account's own life for a month.
pub fn keep_long(env: &Env) {
    env.storage().instance().extend_ttl(MONTH - A_DAY, MONTH);
}
