export {
  RefundableFee,
  type TransactionFailure,
  TransactionOutcome,
  zeroResult,
} from './transactionOutcome.ts';
