// Generated from contracts/wasm/smart-account.wasm by `npm run bindings`; not edited by hand.

/** Numbers of the contract's errors, with their names. */
export interface SmartAccountErrors {
  readonly 100: 'SignerNotFound';
  readonly 101: 'SignerAlreadyExists';
  /** The current ledger is past the signer's expiration. */
  readonly 102: 'SignerExpired';
  /** The account would have no persistent owner without an expiration. */
  readonly 103: 'LastAdminSigner';
  /** The account would have no persistent key without an expiration. */
  readonly 104: 'LastSigner';
  /** The account already has the maximum of five policies. */
  readonly 105: 'TooManyPolicies';
  /** A grant lists more than five keys and policies that must agree. */
  readonly 106: 'TooManyApprovers';
  /** A grant names its own signer among those who must agree. */
  readonly 107: 'OwnCoSigner';
  /** No signer's limits cover the call, or a policy refused it. */
  readonly 110: 'MissingContext';
  /** The type of the signature does not match the signer. */
  readonly 111: 'SignatureKeyValueMismatch';
  /** A limited signer signed more than ten calls at once. */
  readonly 112: 'TooManyCalls';
  readonly 120: 'ClientDataJsonTooLarge';
  readonly 121: 'ClientDataJsonParseError';
  /** The passkey signed another challenge. */
  readonly 122: 'ClientDataJsonChallengeIncorrect';
  readonly 123: 'InvalidWebAuthnType';
  readonly 124: 'InvalidAuthenticatorData';
  /** The authenticator did not report that a user was present. */
  readonly 125: 'UserPresenceRequired';
  readonly 126: 'AuthenticatorDataTooLarge';
}
