//! A smart account that passkeys and Ed25519 keys control.
//!
//! A signer without limits is an owner and may do everything. A limited signer may call only the contracts that its
//! grants name, and only if everyone that the grant lists agrees: other keys, which sign too, and policies, which are
//! called in `__check_auth`. A policy approves what a key signed; it never replaces a signature.
//!
//! The interface, the signature map and the error numbers are passkey-kit's, so that its clients work with the account.
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
