export { ClosedLedger } from './closedLedger.ts';
export { ClosedTransaction } from './closedTransaction.ts';
export { inclusionFees } from './inclusionFees.ts';
export { type FoundTransaction, LedgerHistory, type Retention } from './ledgerHistory.ts';
export type { LedgerStore } from './ledgerStore.ts';
export { MemoryLedgerStore } from './memoryLedgerStore.ts';
export { MAX_OPERATION, MAX_TRANSACTION, totalOrderId, totalOrderOf } from './totalOrderId.ts';
