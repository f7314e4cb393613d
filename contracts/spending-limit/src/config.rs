use soroban_sdk::{symbol_short, Address, Bytes, Env, FromVal, Symbol, Val, Vec};

use crate::{
    counter::{Counter, Limits},
    error::Error,
};

const STATE: Symbol = symbol_short!("limit");

/// The maximum number of recipients. A payment rewrites them all with the counter, and pays for each byte.
pub const MOST_RECIPIENTS: u32 = 20;

/// Whose payments are limited, of which token and to whom, and the counter. The account can change only the limits.
pub struct State {
    pub wallet: Address,
    pub token: Address,
    pub upto: Option<Address>,
    pub recipients: Option<Vec<Address>>,
    pub counter: Counter,
}

impl State {
    pub fn load(env: &Env) -> Self {
        let stored = env.storage().instance().get(&STATE);
        let parts: Vec<Val> = stored.expect("the constructor wrote it");
        let part = |at| parts.get_unchecked(at);
        let (wallet, token) = (part(0), part(1));
        let counter = Bytes::from_val(env, &part(4));
        let mut counter = Counter::read(&counter);
        counter.advance(env.ledger().timestamp());
        Self {
            wallet: Address::from_val(env, &wallet),
            token: Address::from_val(env, &token),
            upto: Option::from_val(env, &part(2)),
            recipients: Option::from_val(env, &part(3)),
            counter,
        }
    }

    pub fn store(&self, env: &Env) {
        let Self {
            wallet,
            token,
            upto,
            recipients,
            counter,
        } = self;
        let parts = (wallet, token, upto, recipients, counter.written(env));
        env.storage().instance().set(&STATE, &parts);
    }

    /// Refuses an invalid configuration.
    pub fn check(&self, limits: &Limits) -> Result<(), Error> {
        let upto = self.upto.as_ref();
        let distinct = self.wallet != self.token
            && upto.is_none_or(|upto| *upto != self.wallet && *upto != self.token);
        // The account itself is never paid, so a policy that lists only the account would allow nothing.
        let listed = self.recipients.as_ref().is_none_or(|list| {
            !list.is_empty() && list.len() <= MOST_RECIPIENTS && !list.contains(&self.wallet)
        });
        if !distinct || !listed {
            return Err(Error::InvalidConfig);
        }
        limits.check()
    }

    /// Charges a payment. Refuses one that does not fit, or whose recipient is not on the list.
    pub fn charge(&mut self, to: &Address, amount: i128) -> Result<(), Error> {
        let list = self.recipients.as_ref();
        if list.is_some_and(|list| !list.contains(to)) {
            return Err(Error::NotARecipient);
        }
        self.counter.charge(amount)
    }
}
