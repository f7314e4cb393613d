/** Loaded when a payment is first tested, or policies are read: it contains Stellar's XDR. Imports no editor. */

export {
  decodeEvents,
  decodeTransaction,
  readKeyPolicies,
  readWalletPolicies,
} from '../ledgerReads/index.ts';
export { createLocalWallet } from './localWallet.ts';
export { runTestPayment, type TestPaymentInput } from './testPayment.ts';
