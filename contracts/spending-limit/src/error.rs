use soroban_sdk::contracterror;

/// Error numbers are part of the interface. The account wraps them: a payer sees the account's #110 around #1.
#[contracterror]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Error {
    /// The payment exceeds what is left, or is not a payment that this policy recognizes.
    NotAllowed = 1,
    /// The payment exceeds the maximum for one payment.
    OverOnePayment = 2,
    /// The recipient is not on the list of recipients.
    NotARecipient = 3,
    /// The limit, the window or the number of payments is not above zero, two of the addresses are the same, the
    /// maximum for one payment exceeds the limit, or the list of recipients is empty, too long or contains the account.
    InvalidConfig = 4,
    /// The caller is not the account that this policy was deployed for.
    WrongWallet = 5,
    /// The release does not match what was reserved.
    BadRelease = 6,
    /// The window already has its maximum number of payments.
    TooManyPayments = 7,
    /// The limits have changed since this change was prepared.
    Outdated = 8,
}
