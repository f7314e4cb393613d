/**
 * Loaded when a payment is first tested or policies are read, because it contains Stellar's XDR. Does not import the editor's
 * API.
 */

export {
  decodeEvents,
  decodeTransaction,
  readKeyPolicies,
  readWalletPolicies,
} from '../ledgerReads/index.ts';
export { createLocalWallet } from './localWallet.ts';
export { runTestPayment, type TestPaymentInput } from './testPayment.ts';
