// Generated from contracts/wasm/smart-account.wasm by `npm run bindings`; not edited by hand.

/** Numbers of the contract's errors, with their names. */
export interface SmartAccountErrors {
  readonly 100: 'SignerNotFound';
  readonly 101: 'SignerAlreadyExists';
  /** The ledger is past the signer's expiration. */
  readonly 102: 'SignerExpired';
  /** No persistent owner without an end would be left. */
  readonly 103: 'LastAdminSigner';
  /** No persistent key without an end would be left. */
  readonly 104: 'LastSigner';
  /** The account has as many policies as are told of a settlement. */
  readonly 105: 'TooManyPolicies';
  /** A grant lists more who must agree than are asked. */
  readonly 106: 'TooManyApprovers';
  /** A grant names the signer itself among those who must agree. */
  readonly 107: 'OwnCoSigner';
  /** A call that no signer's limits cover, or that a policy refused. */
  readonly 110: 'MissingContext';
  /** The kind of the signature is not the signer's. */
  readonly 111: 'SignatureKeyValueMismatch';
  /** A limited signer signed more calls at once than are put before policies. */
  readonly 112: 'TooManyCalls';
  readonly 120: 'ClientDataJsonTooLarge';
  readonly 121: 'ClientDataJsonParseError';
  /** The passkey signed something else. */
  readonly 122: 'ClientDataJsonChallengeIncorrect';
  readonly 123: 'InvalidWebAuthnType';
  readonly 124: 'InvalidAuthenticatorData';
  /** Nobody touched the authenticator. */
  readonly 125: 'UserPresenceRequired';
  readonly 126: 'AuthenticatorDataTooLarge';
}
