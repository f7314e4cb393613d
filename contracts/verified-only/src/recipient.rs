//! Finds out who would receive what a limited key wants to pay.

use account_interface::contract_call;
use soroban_sdk::{symbol_short, Address, Env, TryFromVal, Val};

use crate::error::Error;

/// Returns the address to which a call by the wallet would give money, or power over money.
///
/// - transfer(wallet, recipient, amount) of a token,
/// - settle(token, wallet, recipient, ceiling, expiration, nonce) of a settlement contract, as the payer signs it,
/// - approve(wallet, spender, amount, expiration) of a token: the spender, because it is the one who can take.
///
/// Anything else is refused, because no recipient can be read from it.
pub fn of(env: &Env, wallet: &Address, call: &Val) -> Result<Address, Error> {
    let call = contract_call(env, call).ok_or(Error::NotAllowed)?;
    let (arguments, payer, recipient) = if call.fn_name == symbol_short!("transfer") {
        (3, 0, 1)
    } else if call.fn_name == symbol_short!("settle") {
        (6, 1, 2)
    } else if call.fn_name == symbol_short!("approve") {
        (4, 0, 1)
    } else {
        return Err(Error::NotAllowed);
    };
    // Only a plain address is decoded as one: an account's address with a memo is not a contract.
    let address = |at| {
        let value = call.args.get(at).ok_or(Error::NotAllowed)?;
        Address::try_from_val(env, &value).map_err(|_| Error::NotVerified)
    };
    if call.args.len() != arguments || address(payer)? != *wallet {
        return Err(Error::NotAllowed);
    }
    address(recipient)
}
