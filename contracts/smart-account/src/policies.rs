//! The policies among the signers, in the order in which they came. The settlement contract tells the first of them
//! what was really spent, and finds them here.

use account_interface::PolicyClient;
use soroban_sdk::{symbol_short, Address, Env, Symbol, Vec};

use crate::error::Error;

/// As many as the settlement contract tells.
pub const MOST_POLICIES: u32 = 5;

const POLICIES: Symbol = symbol_short!("policies");

pub fn list(env: &Env) -> Vec<Address> {
    let stored = env.storage().instance().get(&POLICIES);
    stored.unwrap_or_else(|| Vec::new(env))
}

/// Takes a policy up, if it wants to: its failure is the caller's.
pub fn attach(env: &Env, policy: &Address) -> Result<(), Error> {
    let mut policies = list(env);
    if policies.len() >= MOST_POLICIES {
        return Err(Error::TooManyPolicies);
    }
    policies.push_back(policy.clone());
    env.storage().instance().set(&POLICIES, &policies);
    PolicyClient::new(env, policy).install(&env.current_contract_address());
    Ok(())
}

/// Lets a policy go, without asking it: one that is broken must not be able to stay.
pub fn detach(env: &Env, policy: &Address) {
    let mut policies = list(env);
    if let Some(at) = policies.first_index_of(policy) {
        policies.remove(at);
        env.storage().instance().set(&POLICIES, &policies);
    }
}
