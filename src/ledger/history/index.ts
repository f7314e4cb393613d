export { ClosedLedger } from './closedLedger.ts';
export { ClosedTransaction } from './closedTransaction.ts';
export { HistoryError } from './historyError.ts';
export { type FoundTransaction, LedgerHistory, type Retention } from './ledgerHistory.ts';
export type { LedgerStore } from './ledgerStore.ts';
export { MemoryLedgerStore } from './memoryLedgerStore.ts';
export { applyRecordedChanges } from './recordedChanges.ts';
