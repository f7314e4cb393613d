use soroban_sdk::contracterror;

/// Numbers are part of the interface.
#[contracterror]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Error {
    /// The expiration is not ahead, or further than an attestation may last.
    InvalidExpiry = 301,
}
