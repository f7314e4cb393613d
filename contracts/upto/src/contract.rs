use soroban_sdk::{contract, contractimpl, token::TokenClient, Address, BytesN, Env, IntoVal};

use crate::{error::Error, record::Record, release::release, terms};

/// The settlement contract. It has no constructor, no owner and no state but the records of settlements.
#[contract]
pub struct Upto;

#[contractimpl]
impl Upto {
    /// Moves `actual_amount` of `token` from `from` to `to` and spends the nonce.
    ///
    /// `from` authorizes (token, from, to, max_amount, expiration_ledger, nonce), and below it the token's
    /// approve(from, this contract, max_amount, expiration_ledger). Anybody who has that authorization may call.
    #[allow(clippy::too_many_arguments)] // The interface has eight.
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
        // What came here would stay here.
        if to == this || to == from {
            return Err(Error::InvalidRecipient);
        }
        let record = Record::of(&env, &from, &nonce);
        if record.exists() {
            return Err(Error::NonceUsed);
        }

        // Before the approve, which then counts as a call below this one.
        from.require_auth_for_args(
            (&token, &from, &to, max_amount, expiration_ledger, &nonce).into_val(&env),
        );
        record.write(actual_amount, lifetime);

        if actual_amount > 0 {
            // The allowance is set, not raised: what an earlier settlement left of its own is gone here, and what this
            // one leaves can be drawn on nowhere else.
            let token = TokenClient::new(&env, &token);
            token.approve(&from, &this, &max_amount, &expiration_ledger);
            token.transfer_from(&this, &from, &to, &actual_amount);
        }
        release(&env, &from, &nonce, actual_amount);
        Ok(())
    }

    /// The actual amount that was settled under this nonce of the payer's, or nothing if none was.
    ///
    /// The answer lasts for 17,280 ledgers after the authorization's expiration.
    pub fn settled(env: Env, from: Address, nonce: BytesN<32>) -> Option<i128> {
        Record::of(&env, &from, &nonce).actual_amount()
    }
}
