//! Ceilings that are reserved and not yet reconciled.

use soroban_sdk::{contracttype, symbol_short, BytesN, Env, Symbol};

#[contracttype]
#[derive(Clone)]
enum Key {
    Reserved(BytesN<32>),
}

/// The reservation whose approve is still to come.
const AWAITED: Symbol = symbol_short!("awaited");

/// One ceiling, under the nonce of the authorization that it belongs to.
///
/// Authorization and settlement are one transaction, so a reservation counts only in the ledger in which it was made:
/// one that stayed, because the settlement contract could not tell, is nothing that anybody could give back later.
#[contracttype]
#[derive(Clone)]
pub struct Reservation {
    pub ceiling: i128,
    pub expiration: u32,
    /// The ledger of the transaction.
    pub ledger: u32,
    /// The window in which it was charged.
    pub window: u64,
}

impl Reservation {
    /// Writes it, to wait for its approve and for its release.
    pub fn store(&self, env: &Env, nonce: &BytesN<32>) {
        env.storage()
            .temporary()
            .set(&Key::Reserved(nonce.clone()), self);
        env.storage().instance().set(&AWAITED, nonce);
    }

    /// The reservation whose approve is awaited, which is then awaited no longer.
    pub fn take_awaited(env: &Env) -> Option<Self> {
        let instance = env.storage().instance();
        let nonce: BytesN<32> = instance.get(&AWAITED)?;
        instance.remove(&AWAITED);
        let stored = env.storage().temporary().get(&Key::Reserved(nonce));
        stored.filter(|it: &Self| it.ledger == env.ledger().sequence())
    }

    /// The reservation of a nonce, which is then gone.
    pub fn take(env: &Env, nonce: &BytesN<32>) -> Option<Self> {
        let key = Key::Reserved(nonce.clone());
        let stored: Self = env.storage().temporary().get(&key)?;
        env.storage().temporary().remove(&key);
        let instance = env.storage().instance();
        if instance
            .get(&AWAITED)
            .is_some_and(|it: BytesN<32>| it == *nonce)
        {
            instance.remove(&AWAITED);
        }
        (stored.ledger == env.ledger().sequence()).then_some(stored)
    }
}
