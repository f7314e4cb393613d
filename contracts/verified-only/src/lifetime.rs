//! How long the instance lives. The module is shared by all of them, and anybody prolongs it for all: its rent would
//! make one payment now and then cost more than sponsors bid.

use soroban_sdk::Env;

const A_DAY: u32 = 17_280;

/// For a payment: seldom, and by little.
pub fn keep_alive(env: &Env) {
    prolong(env, A_DAY, 7 * A_DAY);
}

/// For the account that takes the policy up: to a month.
pub fn keep_long(env: &Env) {
    prolong(env, 29 * A_DAY, 30 * A_DAY);
}

fn prolong(env: &Env, threshold: u32, to: u32) {
    let this = env.current_contract_address();
    env.deployer()
        .extend_ttl_for_contract_instance(this, threshold, to);
}
