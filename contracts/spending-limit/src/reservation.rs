//! Ceilings that are reserved and not yet reconciled.

use soroban_sdk::{symbol_short, BytesN, Env, Symbol};

use crate::numbers::{number, put};

/// The key of the reservation whose approve is still expected.
const AWAITED: Symbol = symbol_short!("awaited");

// The offset of each number in the stored bytes.
const CEILING: usize = 0;
const EXPIRATION: usize = 16;
const LEDGER: usize = 20;
const WINDOW: usize = 24;
const WIDTH: usize = 32;

/// One ceiling, stored under the nonce of its authorization.
///
/// Authorization and settlement are one transaction, so a reservation is valid only in the ledger in which it was made:
/// if it stays because the settlement contract could not report, no one can give it back later.
pub struct Reservation {
    pub ceiling: i128,
    pub expiration: u32,
    /// The ledger of the transaction.
    pub ledger: u32,
    /// The window, or the part of one, in which the ceiling was charged.
    pub window: u64,
}

impl Reservation {
    /// Writes the reservation, which then awaits its approve and its release.
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

    /// Returns the reservation whose approve is awaited, and stops awaiting it.
    pub fn take_awaited(env: &Env) -> Option<Self> {
        let instance = env.storage().instance();
        let nonce: BytesN<32> = instance.get(&AWAITED)?;
        instance.remove(&AWAITED);
        Self::read(env, &nonce)
    }

    /// Removes and returns the reservation of a nonce.
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

    /// Reads a reservation if it was made in this ledger.
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
