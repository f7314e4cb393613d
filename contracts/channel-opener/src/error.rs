use soroban_sdk::contracterror;

/// Reasons to refuse a call. The numbers are part of the interface. No other contract of the project uses them.
#[contracterror]
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u32)]
pub enum Error {
    /// The deposit is below zero.
    NegativeDeposit = 411,
}
