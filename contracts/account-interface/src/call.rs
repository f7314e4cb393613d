use soroban_sdk::{
    auth::{Context, ContractContext},
    symbol_short, Env, Symbol, TryFromVal, Val, Vec,
};

/// The calls that are to be authorized, as the host gives them.
///
/// Most of a `Context` is about deployments, which nobody but an owner may do. To read it whole costs each payment the
/// code for them, so calls stay values until [`contract_call`] reads one.
pub fn calls(contexts: &Vec<Context>) -> Vec<Val> {
    contexts.to_vals()
}

/// A call of a contract; none if it is a deployment, or nothing that the host gives.
pub fn contract_call(env: &Env, call: &Val) -> Option<ContractContext> {
    let parts = Vec::<Val>::try_from_val(env, call).ok()?;
    if parts.len() != 2 {
        return None;
    }
    let kind = Symbol::try_from_val(env, &parts.get_unchecked(0)).ok()?;
    if kind != symbol_short!("Contract") {
        return None;
    }
    ContractContext::try_from_val(env, &parts.get_unchecked(1)).ok()
}
