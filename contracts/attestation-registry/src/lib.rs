//! A registry of verified contracts: an attestor states that a contract's module is built from public source, and until
//! when. This does not mean that the source was audited or is safe.
#![no_std]

mod contract;
mod error;
mod event;

pub use contract::{Attestation, AttestationRegistry, AttestationRegistryClient, LONGEST_LIFE};
pub use error::Error;
pub use event::{Attested, AttestorChanged, Revoked};
