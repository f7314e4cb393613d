/** The parts of the policy gateway that the service may use. */
export { accountPreimage, contractIdOf, moduleKey } from './contractIds.ts';
export { creationOperation, uploadOperation } from './deployment/deployOperation.ts';
export { createOwnTransactions } from './deployment/sponsorTransaction.ts';
export { openPolicies, type Policies } from './openPolicies.ts';
export {
  PASSKEY_ERRORS,
  type PasskeyAnswer,
  PasskeyError,
  type Passkeys,
} from './passkeys/index.ts';
export { POLICY_ERRORS, PolicyError, type PolicyErrorCode } from './policyError.ts';
export { accountModule } from './policyModules.ts';
