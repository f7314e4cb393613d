use soroban_sdk::{
    assert_with_error, contract, contractimpl, token::TokenClient, Address, Bytes, BytesN, Env,
};

use crate::{
    error::Error,
    event::{Close, Open, Refund},
    state::{self, Key},
    voucher,
};

/// A channel. Amounts are in the token's atomic units, times in ledgers.
#[contract]
pub struct Channel;

#[contractimpl]
impl Channel {
    /// Opens the channel, and moves `amount` into it if it is above zero; then the token asks for the payer's
    /// authorization, of the transfer alone.
    pub fn __constructor(
        env: Env,
        token: Address,
        from: Address,
        commitment_key: BytesN<32>,
        to: Address,
        amount: i128,
        refund_waiting_period: u32,
    ) {
        assert_with_error!(&env, amount >= 0, Error::NegativeAmount);
        Key::Token.write(&env, &token);
        Key::From.write(&env, &from);
        Key::CommitmentKey.write(&env, &commitment_key);
        Key::To.write(&env, &to);
        Key::RefundWaitingPeriod.write(&env, &refund_waiting_period);
        state::renew(&env);
        if amount > 0 {
            let this = env.current_contract_address();
            TokenClient::new(&env, &token).transfer(&from, &this, &amount);
        }
        Open {
            from,
            commitment_key,
            to,
            token,
            amount,
            refund_waiting_period,
        }
        .publish(&env);
    }

    /// Moves more of the payer's money into the channel. A transfer to the channel's address does the same.
    ///
    /// The payer authorizes it.
    pub fn top_up(env: Env, amount: i128) -> Result<(), Error> {
        if amount < 0 {
            return Err(Error::NegativeAmount);
        }
        if amount > 0 {
            let from = state::from(&env);
            from.require_auth();
            token(&env).transfer(&from, &env.current_contract_address(), &amount);
            state::renew(&env);
        }
        Ok(())
    }

    /// Pays the recipient what a voucher says that it has not got yet, at most what is there. An old voucher pays
    /// nothing. What a voucher says beyond the deposit stays due, should there be more later.
    ///
    /// Anyone who holds the voucher may call this: it pays only the recipient.
    pub fn settle(env: Env, amount: i128, sig: BytesN<64>) -> Result<(), Error> {
        pay_out(&env, amount, &sig)
    }

    /// Pays the recipient what a voucher says, and the payer what is left. The channel is closed from this ledger on.
    ///
    /// The recipient authorizes it. If the token does not let the payer be paid, the rest stays, for `refund`.
    pub fn close(env: Env, amount: i128, sig: BytesN<64>) -> Result<(), Error> {
        state::to(&env).require_auth();
        pay_out(&env, amount, &sig)?;
        let now = env.ledger().sequence();
        if state::closes_at(&env).is_none_or(|at| at > now) {
            closes_at(&env, now);
        }
        let (token, this, from) = (
            token(&env),
            env.current_contract_address(),
            state::from(&env),
        );
        let amount = token.balance(&this);
        if amount > 0 && token.try_transfer(&this, &from, &amount) == Ok(Ok(())) {
            Refund { from, amount }.publish(&env);
        }
        Ok(())
    }

    /// Starts closing: what is left a waiting period later is the payer's.
    ///
    /// The payer authorizes it.
    pub fn close_start(env: Env) -> Result<(), Error> {
        state::from(&env).require_auth();
        start_closing(&env)
    }

    /// Starts closing as the voucher key, which may be all that an agent has. `sig` is its signature over the map of
    /// `channel`, `domain` ("chanclose") and `network`.
    ///
    /// Anyone who holds the signature may call this.
    pub fn close_start_signed(env: Env, sig: BytesN<64>) -> Result<(), Error> {
        voucher::verify(&env, &voucher::closing(&env), &sig);
        start_closing(&env)
    }

    /// Pays the payer everything that is there, also what came after closing. Vouchers count until then.
    ///
    /// Anyone may call this once the waiting period is over: it pays only the payer.
    pub fn refund(env: Env) -> Result<(), Error> {
        let at = state::closes_at(&env).ok_or(Error::NotClosing)?;
        if env.ledger().sequence() < at {
            return Err(Error::TooEarly);
        }
        let (token, this, from) = (
            token(&env),
            env.current_contract_address(),
            state::from(&env),
        );
        let amount = token.balance(&this);
        if amount > 0 {
            token.transfer(&this, &from, &amount);
            Refund { from, amount }.publish(&env);
        }
        Ok(())
    }

    /// Returns the bytes that the voucher key signs for `amount` in all.
    pub fn prepare_commitment(env: Env, amount: i128) -> Result<Bytes, Error> {
        if amount < 0 {
            return Err(Error::NegativeAmount);
        }
        Ok(voucher::commitment(&env, amount))
    }

    pub fn token(env: Env) -> Address {
        state::token(&env)
    }

    /// Returns the payer.
    pub fn from(env: Env) -> Address {
        state::from(&env)
    }

    /// Returns the recipient.
    pub fn to(env: Env) -> Address {
        state::to(&env)
    }

    /// Returns the key that signs vouchers.
    pub fn commitment_key(env: Env) -> BytesN<32> {
        state::commitment_key(&env)
    }

    pub fn refund_waiting_period(env: Env) -> u32 {
        state::refund_waiting_period(&env)
    }

    /// Returns what the channel holds.
    pub fn balance(env: Env) -> i128 {
        token(&env).balance(&env.current_contract_address())
    }

    /// Returns what the recipient got so far.
    pub fn withdrawn(env: Env) -> i128 {
        state::withdrawn(&env)
    }

    /// Returns what the channel holds and what the recipient got. Refunds are no longer in it.
    pub fn deposited(env: Env) -> i128 {
        Self::balance(env.clone()) + state::withdrawn(&env)
    }
}

fn token(env: &Env) -> TokenClient<'_> {
    TokenClient::new(env, &state::token(env))
}

/// Pays what a voucher says, and renews the channel.
fn pay_out(env: &Env, amount: i128, sig: &BytesN<64>) -> Result<(), Error> {
    if amount < 0 {
        return Err(Error::NegativeAmount);
    }
    voucher::verify(env, &voucher::commitment(env, amount), sig);
    let withdrawn = state::withdrawn(env);
    if amount > withdrawn {
        let (token, this) = (token(env), env.current_contract_address());
        let due = (amount - withdrawn).min(token.balance(&this));
        if due > 0 {
            // Written first: whatever the token does, no more than `amount` is ever asked of it.
            Key::WithdrawnAmount.write(env, &(withdrawn + due));
            token.transfer(&this, &state::to(env), &due);
        }
    }
    state::renew(env);
    Ok(())
}

/// Starts the waiting period, unless it has started.
fn start_closing(env: &Env) -> Result<(), Error> {
    if state::closes_at(env).is_some() {
        return Err(Error::AlreadyClosing);
    }
    let now = env.ledger().sequence();
    closes_at(env, now.saturating_add(state::refund_waiting_period(env)));
    state::renew(env);
    Ok(())
}

fn closes_at(env: &Env, effective_at_ledger: u32) {
    Key::CloseEffectiveAtLedger.write(env, &effective_at_ledger);
    Close {
        effective_at_ledger,
    }
    .publish(env);
}
