/** Loaded when a payment is first tested, or policies are read: it carries Stellar's XDR. Imports no editor. */
export { readKeyPolicies } from '../policies/readKeyPolicies.ts';
export { readWalletPolicies } from '../policies/readWalletPolicies.ts';
export { decodeEvents } from './decodeEvents.ts';
export { decodeTransaction } from './decodeTransaction.ts';
export { createLocalWallet } from './localWallet.ts';
export { runTestPayment, type TestPaymentInput } from './testPayment.ts';
