use soroban_sdk::{contract, contractimpl, token::TokenClient, Address, BytesN, Env, IntoVal};

use crate::{error::Error, record::Record, release::release, terms};

/// The settlement contract. It has no constructor, no owner and no state except the records of settlements.
#[contract]
pub struct Upto;

#[contractimpl]
impl Upto {
    /// Moves `actual_amount` of `token` from `from` to `to` and spends the nonce.
    ///
    /// `from` authorizes (token, from, to, max_amount, expiration_ledger, nonce), and below it the token's
    /// approve(from, this contract, max_amount, expiration_ledger). Anyone who has that authorization may call this.
    #[allow(clippy::too_many_arguments)] // The interface has eight arguments.
    pub fn settle(
        env: Env,
        token: Address,
        from: Address,
        to: Address,
        max_amount: i128,
        expiration_ledger: u32,
        nonce: BytesN<32>,
        actual_amount: i128,
        hook: Option<Address>,
    ) -> Result<(), Error> {
        if hook.is_some() {
            return Err(Error::HookNotSupported);
        }
        terms::check_amounts(max_amount, actual_amount)?;
        let lifetime = terms::record_lifetime(expiration_ledger, env.ledger().sequence())?;
        let this = env.current_contract_address();
        // Funds sent to this contract could never leave it.
        if to == this || to == from {
            return Err(Error::InvalidRecipient);
        }
        let record = Record::of(&env, &from, &nonce);
        if record.exists() {
            return Err(Error::NonceUsed);
        }

        // Required before the approve, which then counts as a sub-invocation of this call.
        from.require_auth_for_args(
            (&token, &from, &to, max_amount, expiration_ledger, &nonce).into_val(&env),
        );
        record.write(actual_amount, lifetime);

        if actual_amount > 0 {
            // `approve` sets the allowance and does not add to it: what an earlier settlement left is gone, and what
            // this one leaves cannot be drawn on anywhere else.
            let token = TokenClient::new(&env, &token);
            token.approve(&from, &this, &max_amount, &expiration_ledger);
            token.transfer_from(&this, &from, &to, &actual_amount);
        }
        release(&env, &from, &nonce, actual_amount);
        Ok(())
    }

    /// Returns the actual amount that was settled under this nonce of the payer, or `None` if none was.
    ///
    /// The amount is available until 17,280 ledgers after the authorization's expiration.
    pub fn settled(env: Env, from: Address, nonce: BytesN<32>) -> Option<i128> {
        Record::of(&env, &from, &nonce).actual_amount()
    }
}
