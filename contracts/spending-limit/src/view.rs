//! A policy's state as clients see it. The contract exports none of it, because each payment would pay for the code.
//! Clients decode the contract's ledger entry instead, as `src/protocol/policies/spendingLimitState.ts` does.

use soroban_sdk::{Address, Env, Vec};

use crate::config::State;

/// The configuration of a policy.
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

/// What is left of the limits now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    pub limit: i128,
    pub spent: i128,
    /// Zero if the limit was lowered below what is spent.
    pub remaining: i128,
    /// When more will be left, in seconds since 1970: the whole limit, or in a sliding window what was spent first.
    /// `None` while nothing is spent.
    pub resets_at: Option<u64>,
    /// How many payments are left. `None` if their number is not limited.
    pub payments_left: Option<u32>,
}

/// Returns the configuration of the running contract.
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

/// Returns the budget of the running contract.
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
