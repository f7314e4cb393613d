use soroban_sdk::contracterror;

/// Reasons to refuse a settlement. The numbers are part of the interface. No other contract of the project uses them.
#[contracterror]
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u32)]
pub enum Error {
    /// `hook` is not void.
    HookNotSupported = 201,
    /// The ceiling is not above zero, or the actual amount is below zero.
    InvalidAmount = 202,
    /// The actual amount exceeds the ceiling.
    ActualAboveCeiling = 203,
    /// The current ledger is past `expiration_ledger`.
    Expired = 204,
    /// `expiration_ledger` is more than 17,280 ledgers away.
    ExpirationTooFar = 205,
    /// This nonce of the payer has already been settled.
    NonceUsed = 206,
    /// The recipient is the payer or this contract.
    InvalidRecipient = 207,
}
