//! Events in the form of MPP's channel. What moves money to the recipient has none of its own, since the token's event
//! says it, and the size of all events limits how many channels one transaction claims from.

use soroban_sdk::{contractevent, Address, BytesN};

/// The channel exists.
#[contractevent]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Open {
    pub from: Address,
    pub commitment_key: BytesN<32>,
    pub to: Address,
    pub token: Address,
    /// What the constructor moved. Deposits by transfer are not in it.
    pub amount: i128,
    pub refund_waiting_period: u32,
}

/// Closing has started, or the recipient has closed: then in this ledger.
#[contractevent]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Close {
    /// The first ledger in which the rest can be refunded.
    pub effective_at_ledger: u32,
}

/// The payer got what was left.
#[contractevent]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refund {
    pub from: Address,
    pub amount: i128,
}
