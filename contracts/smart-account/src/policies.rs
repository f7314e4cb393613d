//! The policies among the signers, in the order in which they came. The settlement contract tells the first of them
//! what was really spent, and finds them here.

use account_interface::{PolicyClient, SignerKey};
use soroban_sdk::{symbol_short, Address, Env, Symbol, Vec};

use crate::{error::Error, signers};

/// As many as the settlement contract tells.
pub const MOST_POLICIES: u32 = 5;

const POLICIES: Symbol = symbol_short!("policies");

pub fn list(env: &Env) -> Vec<Address> {
    let stored = env.storage().instance().get(&POLICIES);
    stored.unwrap_or_else(|| Vec::new(env))
}

/// Takes a policy up, if it wants to: its failure is the caller's.
pub fn attach(env: &Env, policy: &Address) -> Result<(), Error> {
    list_again(env, policy)?;
    PolicyClient::new(env, policy).install(&env.current_contract_address());
    Ok(())
}

/// Lists a policy that is among the signers, unless it is listed. Policies that have lapsed make room for it: their
/// temporary entry is gone, or their last ledger is past, and the account does not ask them any more.
pub fn list_again(env: &Env, policy: &Address) -> Result<(), Error> {
    let mut policies = list(env);
    if policies.contains(policy) {
        return Ok(());
    }
    if policies.len() >= MOST_POLICIES {
        policies = counting(env, &policies);
    }
    if policies.len() >= MOST_POLICIES {
        return Err(Error::TooManyPolicies);
    }
    policies.push_back(policy.clone());
    env.storage().instance().set(&POLICIES, &policies);
    Ok(())
}

/// Lets a policy go, without asking it: one that is broken must not be able to stay. Returns whether it was listed.
pub fn detach(env: &Env, policy: &Address) -> bool {
    let mut policies = list(env);
    let Some(at) = policies.first_index_of(policy) else {
        return false;
    };
    policies.remove(at);
    env.storage().instance().set(&POLICIES, &policies);
    true
}

/// Those that the account still asks.
fn counting(env: &Env, policies: &Vec<Address>) -> Vec<Address> {
    let now = env.ledger().sequence();
    let mut kept = Vec::new(env);
    for policy in policies.iter() {
        let signer = signers::find(env, &SignerKey::Policy(policy.clone()));
        if signer.is_some_and(|signer| !signer.value.expired(now)) {
            kept.push_back(policy);
        }
    }
    kept
}
