//! Checks that the keys that signed may authorize the calls.

use account_interface::{calls, contract_call, SignerKey, SignerLimits};
use soroban_sdk::{
    auth::{Context, ContractContext},
    symbol_short, vec, Address, Env, IntoVal, InvokeError, Symbol, TryFromVal, Val, Vec,
};

use crate::{error::Error, policies, signers};

/// The maximum number of calls that a limited signer signs at once, because each may call every policy.
pub const MOST_CALLS: u32 = 10;

const POLICY: Symbol = symbol_short!("policy__");

type Keys = Vec<(SignerKey, SignerLimits)>;

/// Refuses unless a key that signed covers each call.
pub fn check(env: &Env, keys: &Keys, contexts: &Vec<Context>) -> Result<(), Error> {
    // An owner covers everything, so no policy is called and none is charged.
    if keys.iter().any(|(_, limits)| limits.0.is_none()) {
        return Ok(());
    }
    if contexts.len() > MOST_CALLS {
        return Err(Error::TooManyCalls);
    }
    calls(contexts)
        .iter()
        .try_for_each(|call| check_call(env, keys, &call))
}

fn check_call(env: &Env, keys: &Keys, call: &Val) -> Result<(), Error> {
    // Only owners may deploy contracts.
    let called = contract_call(env, call).ok_or(Error::MissingContext)?;
    // Only owners may call the account's own functions, whatever a grant allows.
    if called.contract == env.current_contract_address() {
        let leaves = keys.iter().any(|(key, _)| removes(env, &called, &key));
        return leaves.then_some(()).ok_or(Error::MissingContext);
    }

    // Grants that ask no policy come first, because they leave no trace.
    let mut asking = None;
    for (key, limits) in keys.iter() {
        let Some(approvers) = granted(&key, &limits, &called.contract, keys) else {
            continue;
        };
        if approvers.is_empty() {
            // A policy treats calls by this account as its owner's. A grant's policies refuse such calls themselves.
            if policies::list(env).contains(&called.contract) {
                continue;
            }
            return Ok(());
        }
        asking.get_or_insert((key, approvers));
    }
    // Only the first of the other grants counts: if some of its policies charge and another refuses, no other grant
    // covers the call, and the charges are undone with everything else.
    let (key, policies) = asking.ok_or(Error::MissingContext)?;
    for policy in policies.iter() {
        ask(env, &policy, &key, call)?;
    }
    Ok(())
}

/// Returns whether a call removes the key that signs it, which never gives that key more power.
fn removes(env: &Env, call: &ContractContext, key: &SignerKey) -> bool {
    call.fn_name == Symbol::new(env, "remove_signer")
        && call.args.len() == 1
        && SignerKey::try_from_val(env, &call.args.get_unchecked(0)).is_ok_and(|it| it == *key)
}

/// Returns the policies that must agree when a signer calls a contract, each once. Returns `None` if the signer may not
/// call it, or if a key that must also sign has not. A key does not count as its own co-signer.
fn granted(
    own: &SignerKey,
    limits: &SignerLimits,
    contract: &Address,
    keys: &Keys,
) -> Option<Vec<Address>> {
    // There are few grants, and a host function that finds one would cost each payment more.
    let mut grants = limits.0.as_ref()?.iter();
    let (_, approvers) = grants.find(|(granted, _)| granted == contract)?;
    let mut policies = Vec::new(keys.env());
    for approver in approvers.iter().flatten() {
        match approver {
            SignerKey::Policy(policy) => {
                if !policies.contains(&policy) {
                    policies.push_back(policy);
                }
            }
            key => {
                if key == *own || !keys.iter().any(|(signed, _)| signed == key) {
                    return None;
                }
            }
        }
    }
    Some(policies)
}

/// Asks one policy about one call. If the policy refuses, the account does too.
fn ask(env: &Env, policy: &Address, key: &SignerKey, call: &Val) -> Result<(), Error> {
    let signer = SignerKey::Policy(policy.clone());
    // A policy that is named in a grant but is not attached, or has expired, does not agree.
    let attached = signers::find(env, &signer).ok_or(Error::MissingContext)?;
    if attached.value.expired(env.ledger().sequence()) {
        return Err(Error::MissingContext);
    }
    signers::keep_alive(env, &signer, &attached.storage);
    let arguments: Vec<Val> = (env.current_contract_address(), key, vec![env, *call]).into_val(env);
    match env.try_invoke_contract::<(), InvokeError>(policy, &POLICY, arguments) {
        Ok(Ok(())) => Ok(()),
        _ => Err(Error::MissingContext),
    }
}
