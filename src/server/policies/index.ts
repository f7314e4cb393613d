/** What the service may use of the policy gateway. */
export { openPolicies, type Policies } from './openPolicies.ts';
export { POLICY_ERRORS, PolicyError, type PolicyErrorCode } from './policyError.ts';
