/** The commands of the view "Spending Policies". A bundle of its own, loaded with the first of them. */
export { addAgentKey } from './addAgentKey.ts';
export { attachPolicy } from './attachPolicy.ts';
export { createPolicy } from './createPolicy.ts';
export { revokePolicy } from './revokePolicy.ts';
export { createSmartAccount, setSmartAccount } from './smartAccount.ts';
