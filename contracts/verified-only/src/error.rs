use soroban_sdk::contracterror;

/// Numbers are part of the interface. An account wraps them: what a payer sees is the account's #110 around them.
#[contracterror]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Error {
    /// The recipient is not a contract that is attested now.
    NotVerified = 11,
    /// It is no payment that this policy knows.
    NotAllowed = 12,
    /// The caller is not the account that this policy is made for.
    WrongWallet = 15,
}
