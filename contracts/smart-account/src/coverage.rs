//! Whether those who signed may do what is to be authorized.

use account_interface::{calls, contract_call, SignerKey, SignerLimits};
use soroban_sdk::{
    auth::{Context, ContractContext},
    symbol_short, vec, Address, Env, IntoVal, InvokeError, Symbol, TryFromVal, Val, Vec,
};

use crate::{error::Error, policies, signers};

/// How many calls a limited signer signs at once: each may ask every policy.
pub const MOST_CALLS: u32 = 10;

const POLICY: Symbol = symbol_short!("policy__");

type Keys = Vec<(SignerKey, SignerLimits)>;

/// Refuses if one of the calls is covered by nobody who signed.
pub fn check(env: &Env, keys: &Keys, contexts: &Vec<Context>) -> Result<(), Error> {
    // An owner covers everything, and then no policy is asked, and none charged.
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
    // Deploying contracts is for owners.
    let called = contract_call(env, call).ok_or(Error::MissingContext)?;
    // So are the account's own functions, whatever a grant says.
    if called.contract == env.current_contract_address() {
        let leaves = keys.iter().any(|(key, _)| removes(env, &called, &key));
        return leaves.then_some(()).ok_or(Error::MissingContext);
    }

    // Grants that ask no policy come first: they leave no trace.
    let mut asking = None;
    for (key, limits) in keys.iter() {
        let Some(approvers) = granted(&key, &limits, &called.contract, keys) else {
            continue;
        };
        if approvers.is_empty() {
            // A policy takes what this account calls for its owner's word. Those of a grant refuse it themselves.
            if policies::list(env).contains(&called.contract) {
                continue;
            }
            return Ok(());
        }
        asking.get_or_insert((key, approvers));
    }
    // Only the first of the others: if the policies of one refuse after some have charged, nobody else covers the call,
    // and the charge is undone with everything.
    let (key, policies) = asking.ok_or(Error::MissingContext)?;
    for policy in policies.iter() {
        ask(env, &policy, &key, call)?;
    }
    Ok(())
}

/// Whether a call is the removal of the one who signs it, which is never more power.
fn removes(env: &Env, call: &ContractContext, key: &SignerKey) -> bool {
    call.fn_name == Symbol::new(env, "remove_signer")
        && call.args.len() == 1
        && SignerKey::try_from_val(env, &call.args.get_unchecked(0)).is_ok_and(|it| it == *key)
}

/// The policies that must agree, each once, when a signer calls a contract; nothing if it may not, or if one of the
/// keys that must sign too has not. A key does not sign for itself.
fn granted(
    own: &SignerKey,
    limits: &SignerLimits,
    contract: &Address,
    keys: &Keys,
) -> Option<Vec<Address>> {
    // Grants are few, and a function of the host that finds one would cost each payment more.
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

/// Asks one policy about one call. Its refusal becomes the account's.
fn ask(env: &Env, policy: &Address, key: &SignerKey, call: &Val) -> Result<(), Error> {
    let signer = SignerKey::Policy(policy.clone());
    // Named in a grant but not attached, or attached and over: nobody agrees.
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
