/** The commands of the view "Spending Policies". A separate bundle, loaded by the first one that runs. */
export { addAgentKey } from './addAgentKey.ts';
export { attachPolicy } from './attachPolicy.ts';
export { createPolicy } from './createPolicy.ts';
export { revokePolicy } from './revokePolicy.ts';
export { createSmartAccount, setSmartAccount } from './smartAccount.ts';
