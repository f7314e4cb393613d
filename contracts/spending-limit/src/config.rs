use soroban_sdk::{contracttype, symbol_short, Address, Env, Symbol};

use crate::error::Error;

const CONFIG: Symbol = symbol_short!("config");

/// What a policy is made with. Nothing of it changes: another limit is another policy.
#[contracttype]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// The account whose payments count.
    pub wallet: Address,
    pub token: Address,
    /// The settlement contract of `upto`; none: only direct transfers are payments.
    pub upto: Option<Address>,
    /// Atomic units of the token.
    pub limit: i128,
    /// Seconds.
    pub window: u64,
}

impl Config {
    pub fn check(&self) -> Result<(), Error> {
        let upto = self.upto.as_ref();
        let distinct = self.wallet != self.token
            && upto.is_none_or(|upto| *upto != self.wallet && *upto != self.token);
        if self.limit <= 0 || self.window == 0 || !distinct {
            return Err(Error::InvalidConfig);
        }
        Ok(())
    }

    pub fn load(env: &Env) -> Self {
        let stored = env.storage().instance().get(&CONFIG);
        stored.expect("the constructor wrote it")
    }

    pub fn store(&self, env: &Env) {
        env.storage().instance().set(&CONFIG, self);
    }
}
