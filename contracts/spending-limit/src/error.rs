use soroban_sdk::contracterror;

/// Numbers are part of the interface. An account wraps them: what a payer sees is the account's #110 around #1.
#[contracterror]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Error {
    /// The payment is over what is left, or it is no payment that this policy knows.
    NotAllowed = 1,
    /// The payment is more than one payment may be.
    OverOnePayment = 2,
    /// The recipient is not on the list of those who may be paid.
    NotARecipient = 3,
    /// The limit, the window or the number of payments is not above zero, two of the addresses are one, one payment may be
    /// more than the limit, or the list of recipients is empty, too long or holds the account.
    InvalidConfig = 4,
    /// The caller is not the account that this policy is made for.
    WrongWallet = 5,
    /// What is released is not what was reserved.
    BadRelease = 6,
    /// There have been as many payments as the window may have.
    TooManyPayments = 7,
    /// The limits have changed since this change was made.
    Outdated = 8,
}
