//! The interface that a smart account, its policies and its clients share.
//!
//! The types are those of passkey-kit, so that its client library works with the account: names, order and shape are
//! the wire format. Expirations are ledger sequence numbers, as in its released client.
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
