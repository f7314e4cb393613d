//! A policy of a smart account: how much of one token a limited key may spend in a window of time.
//!
//! A fixed window tumbles: when it is over, the next payment begins a new one with nothing spent. So up to twice the limit
//! can move in a short span around a boundary. A sliding one never lets more than the limit move in any span of its length,
//! and counts each payment up to a twelfth of it longer.
//!
//! Under `upto` the ceiling is reserved when the payment is authorized, and what was not used comes back when the
//! settlement contract says what was. Both happen in one transaction. See [`SpendingLimit::release`].
#![no_std]

mod call;
mod config;
mod contract;
mod counter;
mod error;
mod numbers;
mod reservation;
mod view;

pub use config::MOST_RECIPIENTS;
pub use contract::{SpendingLimit, SpendingLimitClient};
pub use counter::PARTS;
pub use error::Error;
pub use view::{budget, config, Budget, Config};

#[cfg(test)]
extern crate std;
