use account_interface::{calls, lifetime, SignerKey};
use soroban_sdk::{
    auth::Context, contract, contractimpl, contracttype, symbol_short, Address, BytesN, Env,
    Symbol, Val, Vec,
};

use crate::{call::Call, config::Config, error::Error, reservation::Reservation, window::Window};

const WINDOW: Symbol = symbol_short!("window");

/// What is left now.
#[contracttype]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    pub limit: i128,
    pub spent: i128,
    pub remaining: i128,
    /// When nothing will be spent again, in seconds since 1970; none while nothing is spent.
    pub resets_at: Option<u64>,
}

/// One instance an account and token. It has no owner and cannot be changed.
#[contract]
pub struct SpendingLimit;

#[contractimpl]
impl SpendingLimit {
    /// A limit in atomic units of `token`, in windows of so many seconds; `upto` is the settlement contract that may
    /// release. One payment is at most `per_payment`, and goes to one of `recipients`, where they are given.
    #[allow(clippy::too_many_arguments)] // The interface has seven.
    pub fn __constructor(
        env: Env,
        wallet: Address,
        token: Address,
        upto: Option<Address>,
        limit: i128,
        window: u64,
        per_payment: Option<i128>,
        recipients: Option<Vec<Address>>,
    ) -> Result<(), Error> {
        let config = Config {
            wallet,
            token,
            upto,
            limit,
            window,
            per_payment,
            recipients,
        };
        config.check()?;
        config.store(&env);
        // The deployment pays for the room of the window, so that no payment has to.
        let empty = Window::beginning(env.ledger().timestamp());
        env.storage().instance().set(&WINDOW, &empty);
        Ok(())
    }

    /// The account takes the policy up. It begins nothing anew: what was spent stays spent.
    pub fn install(env: Env, wallet: Address) -> Result<(), Error> {
        wallet.require_auth();
        check_wallet(&Config::load(&env), &wallet)?;
        lifetime::keep_long(&env);
        Ok(())
    }

    /// The account has let the policy go: there is nothing to clear away.
    pub fn uninstall(env: Env, wallet: Address) -> Result<(), Error> {
        check_wallet(&Config::load(&env), &wallet)
    }

    /// Counts payments that the account authorizes, or refuses. Called by the account in `__check_auth`.
    pub fn policy__(
        env: Env,
        source: Address,
        _signer: SignerKey,
        contexts: Vec<Context>,
    ) -> Result<(), Error> {
        // Only a direct call of the account's has its authorization here.
        source.require_auth();
        let config = Config::load(&env);
        check_wallet(&config, &source)?;
        let mut window = current(&env, &config);
        for call in calls(&contexts).iter() {
            enforce(&env, &config, &mut window, &call)?;
        }
        env.storage().instance().set(&WINDOW, &window);
        lifetime::keep_alive(&env);
        Ok(())
    }

    /// Gives back what was reserved for an authorization and not used. Called by the settlement contract, in the
    /// transaction that reserved; for anything else that was reserved it does nothing.
    pub fn release(env: Env, from: Address, nonce: BytesN<32>, actual: i128) -> Result<(), Error> {
        let config = Config::load(&env);
        let upto = config.upto.as_ref().ok_or(Error::BadRelease)?;
        upto.require_auth();
        if from != config.wallet {
            return Err(Error::BadRelease);
        }
        let Some(reserved) = Reservation::take(&env, &nonce) else {
            return Ok(());
        };
        let mut window = current(&env, &config);
        if window.start == reserved.window {
            window.give_back(reserved.ceiling, actual)?;
            env.storage().instance().set(&WINDOW, &window);
        }
        Ok(())
    }

    pub fn config(env: Env) -> Config {
        Config::load(&env)
    }

    pub fn budget(env: Env) -> Budget {
        let config = Config::load(&env);
        let Window { start, spent } = current(&env, &config);
        Budget {
            limit: config.limit,
            spent,
            remaining: config.limit - spent,
            resets_at: (spent > 0).then(|| start.saturating_add(config.window)),
        }
    }

    pub fn spent(env: Env) -> i128 {
        Self::budget(env).spent
    }

    pub fn remaining(env: Env) -> i128 {
        Self::budget(env).remaining
    }
}

fn check_wallet(config: &Config, wallet: &Address) -> Result<(), Error> {
    if *wallet == config.wallet {
        Ok(())
    } else {
        Err(Error::WrongWallet)
    }
}

fn current(env: &Env, config: &Config) -> Window {
    let now = env.ledger().timestamp();
    let stored: Option<Window> = env.storage().instance().get(&WINDOW);
    match stored {
        // A window begins with its first payment.
        Some(window) if window.spent > 0 => window.at(now, config.window),
        _ => Window::beginning(now),
    }
}

/// Reserves or charges for one call. The root of a signed tree comes before what is below it, so a settlement before
/// its approve.
fn enforce(env: &Env, config: &Config, window: &mut Window, call: &Val) -> Result<(), Error> {
    match Call::read(env, config, call)? {
        Call::Transfer { to, amount } => {
            config.check_payment(&to, amount)?;
            window.charge(amount, config.limit)
        }
        Call::Settle {
            to,
            ceiling,
            expiration,
            nonce,
        } => {
            config.check_payment(&to, ceiling)?;
            window.charge(ceiling, config.limit)?;
            let reservation = Reservation {
                ceiling,
                expiration,
                ledger: env.ledger().sequence(),
                window: window.start,
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
