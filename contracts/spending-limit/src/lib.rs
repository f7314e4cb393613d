//! A policy of a smart account: how much of one token a limited key may spend in a window of time.
//!
//! The window tumbles: when it is over, the next payment begins a new one with nothing spent. So up to twice the limit
//! can move in a short span around a boundary.
//!
//! Under `upto` the ceiling is reserved when the payment is authorized, and what was not used comes back when the
//! settlement contract says what was. Both happen in one transaction. See [`SpendingLimit::release`].
#![no_std]

mod call;
mod config;
mod contract;
mod error;
mod reservation;
mod window;

pub use config::{Config, MOST_RECIPIENTS};
pub use contract::{Budget, SpendingLimit, SpendingLimitClient};
pub use error::Error;
pub use window::Window;

#[cfg(test)]
extern crate std;
