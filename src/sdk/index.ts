/** The client SDK: `svc-x402/sdk`. */
export type {
  AllowListDefinition,
  DefinitionProblem,
  DeployedInstance,
  EnforcementKind,
  GeneratedPolicy,
  MultisigDefinition,
  PolicyDefinition,
  PolicySimulation,
  PolicySummary,
  PolicyTemplate,
  RecordedPolicy,
  SpendingLimitDefinition,
  ValidationResult,
  VerifiedOnlyDefinition,
} from '../protocol/policies/index.ts';
export {
  type AccountRefusal,
  accountSignature,
  explainRefusal,
  type Grants,
  type PasskeyAssertion,
  passkeySignature,
  type Signer,
  type SignerKey,
  toSigner,
  toSignerKey,
} from '../protocol/smartAccount/index.ts';
export {
  accountSigner,
  CannotPayError,
  DisallowedAssetError,
  InvalidRequirementsError,
  MaxAmountExceededError,
  type MoneyMoved,
  NoUsablePaymentOptionError,
  PaymentOutcomeUnknownError,
  PaymentRejectedError,
  type PaymentSigner,
  RpcFailedError,
  SettledWithoutResourceError,
  type SigningRequest,
  X402Error,
  type X402ErrorCode,
  X402NotConfiguredError,
} from './exact/index.ts';
export * from './policies/index.ts';
export * from './wallet/index.ts';
