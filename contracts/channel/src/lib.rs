//! A payment channel from one payer to one recipient.
//!
//! Money that lies at the contract's address is the deposit, whoever sent it and however. The voucher key signs, off the
//! ledger, what belongs to the recipient in all; whoever holds the newest voucher can have it paid out. The rest belongs
//! to the payer, who gets it when the recipient closes, or a waiting period after the payer or the voucher key started
//! closing. The contract has no owner, and nothing about it can be changed.
//!
//! Functions, vouchers, stored entries and events are those of the channel that MPP on Stellar uses, so its clients and
//! servers work with this one.
#![no_std]
// Without the borrows, the module has other bytes, and the opener knows it by its hash.
#![allow(clippy::needless_borrows_for_generic_args)]

mod contract;
mod error;
mod event;
mod state;
mod voucher;

pub use contract::{Channel, ChannelClient};
pub use error::Error;
pub use event::{Close, Open, Refund};
pub use state::{LIFE, RENEWED_BELOW};

#[cfg(test)]
extern crate std;
#[cfg(test)]
mod tests;
