export { RefundableFee } from './refundableFee.ts';
export { type TransactionFailure, TransactionOutcome } from './transactionOutcome.ts';
export { zeroResult } from './zeroResult.ts';
