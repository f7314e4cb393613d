//! The policies among the signers, in the order in which they were added. The settlement contract finds them here, and
//! reports to the first ones what was actually spent.

use account_interface::{PolicyClient, SignerKey};
use soroban_sdk::{symbol_short, Address, Env, Symbol, Vec};

use crate::{error::Error, signers};

/// The maximum number of policies, which is how many the settlement contract calls.
pub const MOST_POLICIES: u32 = 5;

const POLICIES: Symbol = symbol_short!("policies");

pub fn list(env: &Env) -> Vec<Address> {
    let stored = env.storage().instance().get(&POLICIES);
    stored.unwrap_or_else(|| Vec::new(env))
}

/// Lists a policy and calls its `install`. Fails if the policy refuses.
pub fn attach(env: &Env, policy: &Address) -> Result<(), Error> {
    list_again(env, policy)?;
    PolicyClient::new(env, policy).install(&env.current_contract_address());
    Ok(())
}

/// Lists a policy that is among the signers, unless it is listed already. If the list is full, lapsed policies make
/// room: their temporary entry is gone or they have expired, so the account no longer calls them.
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

/// Removes a policy without calling it, so that a broken policy cannot stay. Returns whether it was listed.
pub fn detach(env: &Env, policy: &Address) -> bool {
    let mut policies = list(env);
    let Some(at) = policies.first_index_of(policy) else {
        return false;
    };
    policies.remove(at);
    env.storage().instance().set(&POLICIES, &policies);
    true
}

/// Returns the policies that the account still calls.
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
