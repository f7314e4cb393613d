//! Gives back to the payer's spending policies what they reserved and was not used.
//!
//! A policy reserves the ceiling when the payer's account asks it to approve the authorization. It cannot learn the
//! actual amount there, because this contract is on the call stack then and may not be called. So this contract tells
//! it afterwards, and finds it through the payer's account.
//!
//! Nothing that an account or a policy answers fails the settlement: whoever has no policies settles, and a policy that
//! cannot be told keeps the ceiling as spent, which is the safe side.

use soroban_sdk::{
    symbol_short, Address, BytesN, Env, Executable, IntoVal, InvokeError, Symbol, TryFromVal, Val,
    Vec,
};

/// How many of an account's policies are told, the first ones.
pub const MOST_POLICIES: usize = 5;

const POLICIES: Symbol = symbol_short!("policies");
const RELEASE: Symbol = symbol_short!("release");

/// Calls `release(from, nonce, actual_amount)` on each of the policies that the payer names in `policies()`.
///
/// A policy knows that it is this contract that calls by requiring its authorization, which a direct caller has.
pub fn release(env: &Env, from: &Address, nonce: &BytesN<32>, actual_amount: i128) {
    let Some(policies) = call::<Vec<Address>>(env, from, POLICIES, Vec::new(env)) else {
        return;
    };
    let arguments: Vec<Val> = (from, nonce, actual_amount).into_val(env);
    // What is no address is passed over: reading it as one must not trap.
    for policy in policies.try_iter().take(MOST_POLICIES).flatten() {
        let _ = call::<Val>(env, &policy, RELEASE, arguments.clone());
    }
}

/// What a contract answers, or nothing if it has no such function, fails, or answers with something else.
fn call<T>(env: &Env, contract: &Address, function: Symbol, arguments: Vec<Val>) -> Option<T>
where
    T: TryFromVal<Env, Val>,
{
    // Calling the address of an account would be a trap, not an answer.
    let Some(Executable::Wasm(_)) = contract.executable() else {
        return None;
    };
    let answer = env.try_invoke_contract::<T, InvokeError>(contract, &function, arguments);
    answer.ok()?.ok()
}
