use soroban_sdk::contracterror;

/// Error numbers are part of the interface.
#[contracterror]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Error {
    /// The expiration is not in the future, or is further away than an attestation may last.
    InvalidExpiry = 301,
}
