/** The app's side of the policy gateway. */
export { askContract, readContract, structOf } from './contractState.ts';
export {
  createPolicyClient,
  type PolicyClient,
  type PolicyClientOptions,
} from './createPolicyClient.ts';
export {
  AttachNotRecordedError,
  ChangeNotSeenError,
  GatewayError,
  PoliciesNotConfiguredError,
  PolicyClientError,
  type PolicyClientErrorCode,
  PolicyMismatchError,
} from './errors.ts';
export { type OwnerAttachOptions, ownerAttach } from './ownerAttach.ts';
export { verifyAddress } from './policyAddress.ts';
export {
  decimal,
  decimalsOf,
  type LedgerPolicy,
  type LedgerSpendingLimit,
  type LedgerVerifiedOnly,
  readPolicy,
} from './readPolicy.ts';
export { type ControlProofOptions, signControlProof } from './signControlProof.ts';
export { verifyPolicy } from './verifyPolicy.ts';
export { type SignedWalletCall, type SubmitCall, signWalletCall } from './walletCall.ts';
export {
  createWalletPolicies,
  type DeployedPolicy,
  deployInstance,
  type PolicyAttach,
  type WalletPolicies,
} from './walletPolicies.ts';
