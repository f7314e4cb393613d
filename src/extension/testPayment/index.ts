/** Loaded when a payment is first tested: it carries Stellar's XDR. Imports no editor. */
export { decodeTransaction } from './decodeTransaction.ts';
export { createLocalWallet } from './localWallet.ts';
export { runTestPayment, type TestPaymentInput } from './testPayment.ts';
