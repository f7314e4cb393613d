//! Ceilings that are reserved and not yet reconciled.

use soroban_sdk::{symbol_short, BytesN, Env, Symbol};

use crate::numbers::{number, put};

/// The reservation whose approve is still to come.
const AWAITED: Symbol = symbol_short!("awaited");

// Where each number is in what is kept.
const CEILING: usize = 0;
const EXPIRATION: usize = 16;
const LEDGER: usize = 20;
const WINDOW: usize = 24;
const WIDTH: usize = 32;

/// One ceiling, under the nonce of the authorization that it belongs to.
///
/// Authorization and settlement are one transaction, so a reservation counts only in the ledger in which it was made:
/// one that stayed, because the settlement contract could not tell, is nothing that anybody could give back later.
pub struct Reservation {
    pub ceiling: i128,
    pub expiration: u32,
    /// The ledger of the transaction.
    pub ledger: u32,
    /// The window, or the part of one, in which it was charged.
    pub window: u64,
}

impl Reservation {
    /// Writes it, to wait for its approve and for its release.
    pub fn store(&self, env: &Env, nonce: &BytesN<32>) {
        let mut bytes = [0; WIDTH];
        put(&mut bytes, CEILING, self.ceiling.to_le_bytes());
        put(&mut bytes, EXPIRATION, self.expiration.to_le_bytes());
        put(&mut bytes, LEDGER, self.ledger.to_le_bytes());
        put(&mut bytes, WINDOW, self.window.to_le_bytes());
        let kept = BytesN::from_array(env, &bytes);
        env.storage().temporary().set(nonce, &kept);
        env.storage().instance().set(&AWAITED, nonce);
    }

    /// The reservation whose approve is awaited, which is then awaited no longer.
    pub fn take_awaited(env: &Env) -> Option<Self> {
        let instance = env.storage().instance();
        let nonce: BytesN<32> = instance.get(&AWAITED)?;
        instance.remove(&AWAITED);
        Self::read(env, &nonce)
    }

    /// The reservation of a nonce, which is then gone.
    pub fn take(env: &Env, nonce: &BytesN<32>) -> Option<Self> {
        let stored = Self::read(env, nonce);
        env.storage().temporary().remove(nonce);
        let instance = env.storage().instance();
        if instance
            .get(&AWAITED)
            .is_some_and(|it: BytesN<32>| it == *nonce)
        {
            instance.remove(&AWAITED);
        }
        stored
    }

    /// One of this ledger.
    fn read(env: &Env, nonce: &BytesN<32>) -> Option<Self> {
        let kept: BytesN<32> = env.storage().temporary().get(nonce)?;
        let bytes = kept.to_array();
        let stored = Self {
            ceiling: i128::from_le_bytes(number(&bytes, CEILING)),
            expiration: u32::from_le_bytes(number(&bytes, EXPIRATION)),
            ledger: u32::from_le_bytes(number(&bytes, LEDGER)),
            window: u64::from_le_bytes(number(&bytes, WINDOW)),
        };
        (stored.ledger == env.ledger().sequence()).then_some(stored)
    }
}
