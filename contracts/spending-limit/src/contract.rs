use account_interface::{calls, lifetime};
use soroban_sdk::{auth::Context, contract, contractimpl, Address, BytesN, Env, Val, Vec};

use crate::{
    call::Call,
    config::State,
    counter::{Counter, Limits},
    error::Error,
    reservation::Reservation,
};

/// One instance per account and token. Only its account can change its limits.
#[contract]
pub struct SpendingLimit;

#[contractimpl]
impl SpendingLimit {
    /// Limits payments of `token` to `limit` atomic units per window of `window` seconds. `upto` is the settlement
    /// contract that may release. If given, `per_payment` is the maximum of one payment, `recipients` are the only
    /// allowed recipients, and `payments` is the maximum number of payments in a window.
    #[allow(clippy::too_many_arguments)] // The interface has nine arguments.
    pub fn __constructor(
        env: Env,
        wallet: Address,
        token: Address,
        upto: Option<Address>,
        limit: i128,
        window: u64,
        per_payment: Option<i128>,
        recipients: Option<Vec<Address>>,
        payments: Option<u32>,
        sliding: bool,
    ) -> Result<(), Error> {
        let limits = Limits {
            limit,
            window,
            per_payment,
            payments,
            sliding,
        };
        // The deployment pays for the counter's storage, so that no payment has to.
        let state = State {
            wallet,
            token,
            upto,
            recipients,
            counter: Counter::new(&limits, env.ledger().timestamp()),
        };
        state.check(&limits)?;
        state.store(&env);
        Ok(())
    }

    /// Replaces all limits. What was spent stays spent. `revision` is the number of changes so far, so that a change
    /// that was signed before another one, and held back, does not undo it. Owners only: the account does not let any
    /// other key call one of its policies.
    #[allow(clippy::too_many_arguments)] // The constructor arguments that can change.
    pub fn change_limits(
        env: Env,
        revision: u32,
        limit: i128,
        window: u64,
        per_payment: Option<i128>,
        recipients: Option<Vec<Address>>,
        payments: Option<u32>,
        sliding: bool,
    ) -> Result<(), Error> {
        let mut state = State::load(&env);
        state.wallet.require_auth();
        if revision != state.counter.revision() {
            return Err(Error::Outdated);
        }
        let limits = Limits {
            limit,
            window,
            per_payment,
            payments,
            sliding,
        };
        state.recipients = recipients;
        state.check(&limits)?;
        state.counter.change(&limits, env.ledger().timestamp());
        state.store(&env);
        lifetime::keep_long(&env);
        Ok(())
    }

    /// Attaches the policy to the account. This does not reset what was spent.
    pub fn install(env: Env, wallet: Address) -> Result<(), Error> {
        wallet.require_auth();
        check_wallet(&State::load(&env), &wallet)?;
        lifetime::keep_long(&env);
        Ok(())
    }

    /// Detaches the policy from the account. There is nothing to clean up.
    pub fn uninstall(env: Env, wallet: Address) -> Result<(), Error> {
        check_wallet(&State::load(&env), &wallet)
    }

    /// Charges the payments that the account authorizes, or refuses them. The account calls this in `__check_auth`.
    pub fn policy__(
        env: Env,
        source: Address,
        _signer: Val,
        contexts: Vec<Context>,
    ) -> Result<(), Error> {
        // Only a direct call by the account carries its authorization here.
        source.require_auth();
        let mut state = State::load(&env);
        check_wallet(&state, &source)?;
        for call in calls(&contexts).iter() {
            enforce(&env, &mut state, &call)?;
        }
        state.store(&env);
        lifetime::keep_alive(&env);
        Ok(())
    }

    /// Gives back what was reserved for an authorization and not used. The settlement contract calls this in the
    /// transaction that reserved; for any other reservation it does nothing.
    pub fn release(env: Env, from: Address, nonce: BytesN<32>, actual: i128) -> Result<(), Error> {
        let mut state = State::load(&env);
        let upto = state.upto.as_ref().ok_or(Error::BadRelease)?;
        upto.require_auth();
        if from != state.wallet {
            return Err(Error::BadRelease);
        }
        let Some(reserved) = Reservation::take(&env, &nonce) else {
            return Ok(());
        };
        if state.counter.start() == reserved.window {
            state.counter.give_back(reserved.ceiling, actual)?;
            state.store(&env);
        }
        Ok(())
    }
}

fn check_wallet(state: &State, wallet: &Address) -> Result<(), Error> {
    if *wallet == state.wallet {
        Ok(())
    } else {
        Err(Error::WrongWallet)
    }
}

/// Reserves or charges for one call. The root of a signed tree comes before its sub-invocations, so a settlement comes
/// before its approve.
fn enforce(env: &Env, state: &mut State, call: &Val) -> Result<(), Error> {
    match Call::read(env, state, call)? {
        Call::Transfer { to, amount } => state.charge(&to, amount),
        Call::Settle {
            to,
            ceiling,
            expiration,
            nonce,
        } => {
            state.charge(&to, ceiling)?;
            let reservation = Reservation {
                ceiling,
                expiration,
                ledger: env.ledger().sequence(),
                window: state.counter.start(),
            };
            reservation.store(env, &nonce);
            Ok(())
        }
        // An allowance is as good as money spent. This one has already been charged.
        Call::Approve { amount, expiration } => match Reservation::take_awaited(env) {
            Some(reserved) if reserved.ceiling == amount && reserved.expiration == expiration => {
                Ok(())
            }
            _ => Err(Error::NotAllowed),
        },
    }
}
