//! A policy of a smart account: a limited key pays only contracts that a registry attests as verified now.
//!
//! It caps no amount; a spending limit beside it does. It reads, and writes nothing.
#![no_std]

mod contract;
mod error;
mod recipient;

pub use contract::{Config, VerifiedOnly, VerifiedOnlyClient};
pub use error::Error;
