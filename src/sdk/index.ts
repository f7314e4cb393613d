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
  explainRefusal,
  type PasskeyAssertion,
  passkeySignature,
  type SignerSignature,
} from '../protocol/smartAccount/index.ts';
export {
  accountSigner,
  CannotPayError,
  type CannotPayReason,
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
  type SignHash,
  type SigningRequest,
  type SorobanValue,
  type WalletSigner,
  X402Error,
  type X402ErrorCode,
  X402NotConfiguredError,
} from './exact/index.ts';
export * from './policies/index.ts';
export * from './wallet/index.ts';
