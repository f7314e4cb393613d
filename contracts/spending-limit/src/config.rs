use soroban_sdk::{contracttype, symbol_short, Address, Env, Symbol, Vec};

use crate::error::Error;

const CONFIG: Symbol = symbol_short!("config");

/// A payment writes them all again, with the window beside them, and pays for each byte.
pub const MOST_RECIPIENTS: u32 = 20;

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
    /// Most of one payment, in atomic units; none: what is left. Under `upto` it is the ceiling that must fit.
    pub per_payment: Option<i128>,
    /// Who may be paid; none: anybody.
    pub recipients: Option<Vec<Address>>,
}

impl Config {
    pub fn check(&self) -> Result<(), Error> {
        let upto = self.upto.as_ref();
        let distinct = self.wallet != self.token
            && upto.is_none_or(|upto| *upto != self.wallet && *upto != self.token);
        let once = self
            .per_payment
            .is_none_or(|most| most > 0 && most <= self.limit);
        // The account itself is never paid: a list of nobody else would be a policy that allows nothing.
        let listed = self.recipients.as_ref().is_none_or(|list| {
            !list.is_empty() && list.len() <= MOST_RECIPIENTS && !list.contains(&self.wallet)
        });
        if self.limit <= 0 || self.window == 0 || !distinct || !once || !listed {
            return Err(Error::InvalidConfig);
        }
        Ok(())
    }

    /// Refuses a payment that is more than one may be, or to nobody of the list.
    pub fn check_payment(&self, to: &Address, amount: i128) -> Result<(), Error> {
        if self.per_payment.is_some_and(|most| amount > most) {
            return Err(Error::OverOnePayment);
        }
        if self
            .recipients
            .as_ref()
            .is_some_and(|list| !list.contains(to))
        {
            return Err(Error::NotARecipient);
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
