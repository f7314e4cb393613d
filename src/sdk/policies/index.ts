/** The policy gateway from an app's side. */
export {
  createPolicyClient,
  type PolicyClient,
  type PolicyClientOptions,
} from './createPolicyClient.ts';
export {
  AttachNotRecordedError,
  GatewayError,
  PoliciesNotConfiguredError,
  PolicyClientError,
  type PolicyClientErrorCode,
} from './errors.ts';
export { type ControlProofOptions, signControlProof } from './signControlProof.ts';
export {
  createWalletPolicies,
  type DeployedPolicy,
  type PolicyAttach,
  type WalletPolicies,
} from './walletPolicies.ts';
