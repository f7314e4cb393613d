//! What a smart account, its policies and its clients agree on.
//!
//! The types are those of passkey-kit, so that its client library drives the account: names, order and shape are wire
//! format. Expirations are ledgers, as its released client writes them.
#![no_std]

mod call;
pub mod lifetime;
mod policy;
mod signature;
mod signer;

pub use call::{calls, contract_call};
pub use policy::{Policy, PolicyClient};
pub use signature::{Secp256r1Signature, Signature, Signatures};
pub use signer::{Signer, SignerExpiration, SignerKey, SignerLimits, SignerStorage, SignerVal};
