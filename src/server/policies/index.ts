/** What the service may use of the policy gateway. */
export { openPolicies, type Policies } from './openPolicies.ts';
export {
  PASSKEY_ERRORS,
  type PasskeyAnswer,
  PasskeyError,
  type Passkeys,
} from './passkeys/index.ts';
export { POLICY_ERRORS, PolicyError, type PolicyErrorCode } from './policyError.ts';
