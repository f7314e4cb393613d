//! Deploys payment channels at addresses that are the hashes of their terms, and claims from many channels at once.
//!
//! Since the address commits to the terms, a channel can be paid before it exists: opening is an ordinary transfer to
//! that address. The opener holds nothing, has no owner, and deploys one module, the hash of which is part of its own.
#![no_std]

mod contract;
mod error;
mod terms;

pub use contract::{ChannelOpener, ChannelOpenerClient, LIFE, RENEWED_BELOW};
pub use error::Error;
pub use terms::Terms;

#[cfg(test)]
extern crate std;
#[cfg(test)]
mod tests;
