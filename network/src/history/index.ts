export { ClosedLedger } from './closedLedger.ts';
export { ClosedTransaction } from './closedTransaction.ts';
export { inclusionFees } from './inclusionFees.ts';
export { type FoundTransaction, LedgerHistory, type Retention } from './ledgerHistory.ts';
export { type LedgerStore, MemoryLedgerStore } from './ledgerStore.ts';
export { MAX_OPERATION, MAX_TRANSACTION, totalOrderId, totalOrderOf } from './totalOrderId.ts';
