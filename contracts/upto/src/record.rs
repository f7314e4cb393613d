//! The record of a settlement: the actual amount, stored under payer and nonce.

use soroban_sdk::{contracttype, Address, BytesN, Env};

#[contracttype]
#[derive(Clone)]
enum Key {
    Settled(Address, BytesN<32>),
}

/// The record of one nonce of a payer.
///
/// A temporary entry: anyone can extend its lifetime, no one can shorten it, and it disappears once nothing needs it.
pub struct Record<'a> {
    env: &'a Env,
    key: Key,
}

impl<'a> Record<'a> {
    pub fn of(env: &'a Env, from: &Address, nonce: &BytesN<32>) -> Self {
        let key = Key::Settled(from.clone(), nonce.clone());
        Self { env, key }
    }

    pub fn exists(&self) -> bool {
        self.env.storage().temporary().has(&self.key)
    }

    pub fn actual_amount(&self) -> Option<i128> {
        self.env.storage().temporary().get(&self.key)
    }

    /// Writes the record, which lives for `lifetime` ledgers after the current one.
    pub fn write(&self, actual_amount: i128, lifetime: u32) {
        let records = self.env.storage().temporary();
        records.set(&self.key, &actual_amount);
        records.extend_ttl(&self.key, lifetime, lifetime);
    }
}
