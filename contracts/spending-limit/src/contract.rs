use account_interface::{calls, lifetime};
use soroban_sdk::{auth::Context, contract, contractimpl, Address, BytesN, Env, Val, Vec};

use crate::{
    call::Call,
    config::State,
    counter::{Counter, Limits},
    error::Error,
    reservation::Reservation,
};

/// One instance an account and token. Its account alone changes its limits.
#[contract]
pub struct SpendingLimit;

#[contractimpl]
impl SpendingLimit {
    /// A limit in atomic units of `token`, in windows of so many seconds; `upto` is the settlement contract that may
    /// release. One payment is at most `per_payment`, and goes to one of `recipients`, and there are at most `payments`
    /// of them in a window, where they are given.
    #[allow(clippy::too_many_arguments)] // The interface has nine.
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
        // The deployment pays for the room of what counts, so that no payment has to.
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

    /// Puts other limits in the place of all that there are. What was spent stays spent. `revision` is how often they have
    /// changed so far, so that a change that was signed before another one, and kept back, does not undo it. For owners
    /// of the account: it lets no other key call a policy of its own.
    #[allow(clippy::too_many_arguments)] // Those of the constructor that change.
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

    /// The account takes the policy up. It begins nothing anew: what was spent stays spent.
    pub fn install(env: Env, wallet: Address) -> Result<(), Error> {
        wallet.require_auth();
        check_wallet(&State::load(&env), &wallet)?;
        lifetime::keep_long(&env);
        Ok(())
    }

    /// The account has let the policy go: there is nothing to clear away.
    pub fn uninstall(env: Env, wallet: Address) -> Result<(), Error> {
        check_wallet(&State::load(&env), &wallet)
    }

    /// Counts payments that the account authorizes, or refuses. Called by the account in `__check_auth`.
    pub fn policy__(
        env: Env,
        source: Address,
        _signer: Val,
        contexts: Vec<Context>,
    ) -> Result<(), Error> {
        // Only a direct call of the account's has its authorization here.
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

    /// Gives back what was reserved for an authorization and not used. Called by the settlement contract, in the
    /// transaction that reserved; for anything else that was reserved it does nothing.
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

/// Reserves or charges for one call. The root of a signed tree comes before what is below it, so a settlement before
/// its approve.
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
        // An allowance is as good as money spent. This one is, already.
        Call::Approve { amount, expiration } => match Reservation::take_awaited(env) {
            Some(reserved) if reserved.ceiling == amount && reserved.expiration == expiration => {
                Ok(())
            }
            _ => Err(Error::NotAllowed),
        },
    }
}
