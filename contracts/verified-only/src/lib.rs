//! A smart account policy: a limited key may pay only contracts that a registry currently attests as verified.
//!
//! It does not cap amounts; a spending limit attached along with it does. It reads state and does not write any.
#![no_std]

mod contract;
mod error;
mod recipient;

pub use contract::{Config, VerifiedOnly, VerifiedOnlyClient};
pub use error::Error;
