//! What clients read of a policy. The contract exports none of it, because each payment would pay for the extra code.
//! Clients decode the contract's ledger entry instead, as `src/protocol/policies/spendingLimitState.ts` does.

use soroban_sdk::{Address, Env, Vec};

use crate::config::State;

/// What a policy is made with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    pub wallet: Address,
    pub token: Address,
    pub upto: Option<Address>,
    pub limit: i128,
    pub window: u64,
    pub per_payment: Option<i128>,
    pub recipients: Option<Vec<Address>>,
    pub payments: Option<u32>,
    pub sliding: bool,
    /// How often the limits have changed.
    pub revision: u32,
}

/// What is left now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    pub limit: i128,
    pub spent: i128,
    /// Nothing while more is spent than a limit that was lowered since.
    pub remaining: i128,
    /// When more will be left, in seconds since 1970: all of the limit, or of a sliding window what was spent first. None
    /// while nothing is spent.
    pub resets_at: Option<u64>,
    /// How many payments are left; none: any number.
    pub payments_left: Option<u32>,
}

/// Of the contract that runs.
pub fn config(env: &Env) -> Config {
    let state = State::load(env);
    let limits = state.counter.limits();
    Config {
        wallet: state.wallet,
        token: state.token,
        upto: state.upto,
        limit: limits.limit,
        window: limits.window,
        per_payment: limits.per_payment,
        recipients: state.recipients,
        payments: limits.payments,
        sliding: limits.sliding,
        revision: state.counter.revision(),
    }
}

/// Of the contract that runs.
pub fn budget(env: &Env) -> Budget {
    let counter = State::load(env).counter;
    let (limit, spent) = (counter.most(), counter.counted().0);
    Budget {
        limit,
        spent,
        remaining: (limit - spent).max(0),
        resets_at: counter.more_at(),
        payments_left: counter.payments_left(),
    }
}
