//! A smart account policy that limits how much of one token a limited key may spend in a time window.
//!
//! A fixed window tumbles: when it is over, the next payment starts a new one with nothing spent, so up to twice the
//! limit can move in a short span around a boundary. A sliding window never lets more than the limit move in any span
//! of its length, and counts each payment for up to a twelfth of that length longer.
//!
//! Under `upto`, the ceiling is reserved when the payment is authorized, and the unused part is given back when the
//! settlement contract reports the actual amount. Both happen in one transaction. See [`SpendingLimit::release`].
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
