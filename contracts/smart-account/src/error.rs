use soroban_sdk::contracterror;

/// Error numbers are part of the interface. They are passkey-kit's, except 105, 106, 107 and 112.
#[contracterror]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Error {
    SignerNotFound = 100,
    SignerAlreadyExists = 101,
    /// The current ledger is past the signer's expiration.
    SignerExpired = 102,
    /// The account would have no persistent owner without an expiration.
    LastAdminSigner = 103,
    /// The account would have no persistent key without an expiration.
    LastSigner = 104,
    /// The account already has the maximum of five policies.
    TooManyPolicies = 105,
    /// A grant lists more than five keys and policies that must agree.
    TooManyApprovers = 106,
    /// A grant names its own signer among those who must agree.
    OwnCoSigner = 107,

    /// No signer's limits cover the call, or a policy refused it.
    MissingContext = 110,
    /// The type of the signature does not match the signer.
    SignatureKeyValueMismatch = 111,
    /// A limited signer signed more than ten calls at once.
    TooManyCalls = 112,

    ClientDataJsonTooLarge = 120,
    ClientDataJsonParseError = 121,
    /// The passkey signed another challenge.
    ClientDataJsonChallengeIncorrect = 122,
    InvalidWebAuthnType = 123,
    InvalidAuthenticatorData = 124,
    /// The authenticator did not report that a user was present.
    UserPresenceRequired = 125,
    AuthenticatorDataTooLarge = 126,
}
