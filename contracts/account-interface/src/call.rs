use soroban_sdk::{
    auth::{Context, ContractContext},
    symbol_short, Env, Symbol, TryFromVal, Val, Vec,
};

/// Returns the calls to authorize, as the host passes them.
///
/// Decoding a whole `Context` would cost each payment the code for deployments, which only owners may authorize. So
/// calls stay raw values until [`contract_call`] decodes one.
pub fn calls(contexts: &Vec<Context>) -> Vec<Val> {
    contexts.to_vals()
}

/// Decodes a contract call. Returns `None` for a deployment, and for a value that the host never passes.
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
