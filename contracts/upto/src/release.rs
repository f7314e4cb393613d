//! Gives back to the payer's spending policies what they reserved and the settlement did not use.
//!
//! A policy reserves the ceiling when the payer's account asks it to approve the authorization. It cannot learn the
//! actual amount then, because this contract is on the call stack and cannot be called again. So this contract reports
//! the amount to the policy afterwards, and finds it through the payer's account.
//!
//! No response of an account or a policy fails the settlement: payers without policies settle too, and a policy that
//! cannot receive the report keeps the ceiling as spent, which is the safe outcome.

use soroban_sdk::{
    symbol_short, Address, BytesN, Env, Executable, IntoVal, InvokeError, Symbol, TryFromVal, Val,
    Vec,
};

/// The maximum number of an account's policies that are called, starting with the first.
pub const MOST_POLICIES: usize = 5;

const POLICIES: Symbol = symbol_short!("policies");
const RELEASE: Symbol = symbol_short!("release");

/// Calls `release(from, nonce, actual_amount)` on each policy that the payer lists in `policies()`.
///
/// A policy verifies that this contract is the caller by requiring its authorization, which a direct caller has.
pub fn release(env: &Env, from: &Address, nonce: &BytesN<32>, actual_amount: i128) {
    let Some(policies) = call::<Vec<Address>>(env, from, POLICIES, Vec::new(env)) else {
        return;
    };
    let arguments: Vec<Val> = (from, nonce, actual_amount).into_val(env);
    // Skips values that are not addresses, because decoding one as an address must not trap.
    for policy in policies.try_iter().take(MOST_POLICIES).flatten() {
        let _ = call::<Val>(env, &policy, RELEASE, arguments.clone());
    }
}

/// Returns a contract's result, or `None` if it has no such function, fails, or returns another type.
fn call<T>(env: &Env, contract: &Address, function: Symbol, arguments: Vec<Val>) -> Option<T>
where
    T: TryFromVal<Env, Val>,
{
    // A call to the address of a classic account would trap instead of failing.
    let Some(Executable::Wasm(_)) = contract.executable() else {
        return None;
    };
    let answer = env.try_invoke_contract::<T, InvokeError>(contract, &function, arguments);
    answer.ok()?.ok()
}
