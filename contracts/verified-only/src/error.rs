use soroban_sdk::contracterror;

/// Error numbers are part of the interface. The account wraps them: a payer sees the account's #110 around them.
#[contracterror]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Error {
    /// The recipient is not a contract that is currently attested.
    NotVerified = 11,
    /// The call is not a payment that this policy recognizes.
    NotAllowed = 12,
    /// The caller is not the account that this policy was deployed for.
    WrongWallet = 15,
}
