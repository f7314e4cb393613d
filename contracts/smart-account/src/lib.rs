//! A smart account: passkeys and Ed25519 keys sign for it.
//!
//! A signer without limits is an owner and may do everything. A limited signer acts only on the contracts that its
//! grants name, and only when all agree that the grant lists: other keys, which sign too, and policies, which are asked
//! in `__check_auth`. A policy approves what a key signed; it never stands for a signature.
//!
//! Interface, map of signatures and numbers of errors are passkey-kit's, so that its clients drive the account.
#![no_std]

mod base64url;
mod contract;
mod coverage;
mod curve;
mod error;
mod event;
mod lasting;
mod policies;
mod residues;
mod signers;
mod verify;
mod webauthn;

pub use contract::{SmartAccount, SmartAccountClient};
pub use coverage::MOST_CALLS;
pub use error::Error;
pub use event::{SignerAdded, SignerRemoved, SignerUpdated, Upgraded};
pub use policies::MOST_POLICIES;

#[cfg(test)]
extern crate std;
