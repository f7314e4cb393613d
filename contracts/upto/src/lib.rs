//! Settles x402 payments of the scheme `upto`.
//!
//! A payer signs a ceiling once. The facilitator settles the actual use, at most the ceiling: [`Upto::settle`] moves it
//! from payer to recipient in one token transfer, and the authorization is spent. The contract holds no funds, has no
//! owner and cannot be changed.
#![no_std]

mod contract;
mod error;
mod record;
mod release;
mod terms;

pub use contract::{Upto, UptoClient};
pub use error::Error;
pub use release::MOST_POLICIES;
pub use terms::LONGEST_AUTHORIZATION;

#[cfg(test)]
extern crate std;
#[cfg(test)]
mod tests;
