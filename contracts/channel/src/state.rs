//! What the channel stores: all of it in the contract's instance, which is one persistent entry. Clients of MPP read
//! `CloseEffectiveAtLedger` there, without a call.

use soroban_sdk::{contracttype, Address, BytesN, Env, IntoVal, TryFromVal, Val};

/// How many ledgers a channel lives after it was opened, or after a claim that renewed it: a week.
pub const LIFE: u32 = 120_960;
/// A claim, a close and a deposit through this contract renew a channel that would live for fewer ledgers: three days.
pub const RENEWED_BELOW: u32 = 51_840;

#[contracttype(export = false)]
#[allow(clippy::enum_variant_names)] // The names are those that are stored.
#[derive(Clone, Copy)]
pub enum Key {
    Token,
    From,
    CommitmentKey,
    To,
    RefundWaitingPeriod,
    WithdrawnAmount,
    CloseEffectiveAtLedger,
}

impl Key {
    pub fn write<T: IntoVal<Env, Val>>(self, env: &Env, value: &T) {
        env.storage().instance().set(&self, value);
    }

    fn find<T: TryFromVal<Env, Val>>(self, env: &Env) -> Option<T> {
        env.storage().instance().get(&self)
    }

    fn read<T: TryFromVal<Env, Val>>(self, env: &Env) -> T {
        self.find(env).expect("the constructor wrote it")
    }
}

pub fn token(env: &Env) -> Address {
    Key::Token.read(env)
}

pub fn from(env: &Env) -> Address {
    Key::From.read(env)
}

pub fn commitment_key(env: &Env) -> BytesN<32> {
    Key::CommitmentKey.read(env)
}

pub fn to(env: &Env) -> Address {
    Key::To.read(env)
}

pub fn refund_waiting_period(env: &Env) -> u32 {
    Key::RefundWaitingPeriod.read(env)
}

/// What the recipient got so far.
pub fn withdrawn(env: &Env) -> i128 {
    Key::WithdrawnAmount.find(env).unwrap_or(0)
}

/// The first ledger in which the rest can be refunded, if someone started closing.
pub fn closes_at(env: &Env) -> Option<u32> {
    Key::CloseEffectiveAtLedger.find(env)
}

/// Extends the life of the channel and of its module, if little is left of it.
pub fn renew(env: &Env) {
    env.storage().instance().extend_ttl(RENEWED_BELOW, LIFE);
}
