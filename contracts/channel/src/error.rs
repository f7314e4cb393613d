use soroban_sdk::contracterror;

/// Reasons to refuse a call. The numbers are part of the interface. No other contract of the project uses them.
#[contracterror]
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u32)]
pub enum Error {
    /// The amount is below zero.
    NegativeAmount = 401,
    /// Nobody has started closing the channel.
    NotClosing = 402,
    /// The waiting period is not over.
    TooEarly = 403,
    /// Closing has started already. It starts once, so that a signature that everybody has seen delays no refund.
    AlreadyClosing = 404,
}
