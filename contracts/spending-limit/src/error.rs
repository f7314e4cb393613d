use soroban_sdk::contracterror;

/// Numbers are part of the interface. An account wraps them: what a payer sees is the account's #110 around #1.
#[contracterror]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Error {
    /// The payment is over what is left, or it is no payment that this policy knows.
    NotAllowed = 1,
    /// The limit or the window is not above zero, or two of the addresses are one.
    InvalidConfig = 4,
    /// The caller is not the account that this policy is made for.
    WrongWallet = 5,
    /// What is released is not what was reserved.
    BadRelease = 6,
}
