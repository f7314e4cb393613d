/** Loaded when a payment is first tested, or policies are read: it carries Stellar's XDR. Imports no editor. */

export { decodeEvents } from '../chain/decodeEvents.ts';
export { decodeTransaction } from '../chain/decodeTransaction.ts';
export { readKeyPolicies } from '../policies/readKeyPolicies.ts';
export { readWalletPolicies } from '../policies/readWalletPolicies.ts';
export { createLocalWallet } from './localWallet.ts';
export { runTestPayment, type TestPaymentInput } from './testPayment.ts';
