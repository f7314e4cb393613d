use soroban_sdk::contracterror;

/// Numbers are part of the interface. Those up to 126 are passkey-kit's; 105, 106, 107 and 112 are this account's own.
#[contracterror]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Error {
    SignerNotFound = 100,
    SignerAlreadyExists = 101,
    /// The ledger is past the signer's expiration.
    SignerExpired = 102,
    /// No persistent owner without an end would be left.
    LastAdminSigner = 103,
    /// No persistent key without an end would be left.
    LastSigner = 104,
    /// The account has as many policies as are told of a settlement.
    TooManyPolicies = 105,
    /// A grant lists more who must agree than are asked.
    TooManyApprovers = 106,
    /// A grant names the signer itself among those who must agree.
    OwnCoSigner = 107,

    /// A call that no signer's limits cover, or that a policy refused.
    MissingContext = 110,
    /// The kind of the signature is not the signer's.
    SignatureKeyValueMismatch = 111,
    /// A limited signer signed more calls at once than are put before policies.
    TooManyCalls = 112,

    ClientDataJsonTooLarge = 120,
    ClientDataJsonParseError = 121,
    /// The passkey signed something else.
    ClientDataJsonChallengeIncorrect = 122,
    InvalidWebAuthnType = 123,
    InvalidAuthenticatorData = 124,
    /// Nobody touched the authenticator.
    UserPresenceRequired = 125,
    AuthenticatorDataTooLarge = 126,
}
