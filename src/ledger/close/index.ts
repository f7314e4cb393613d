export { applyRecordedLedger } from './applyRecordedLedger.ts';
export { LedgerEngine } from './ledgerEngine.ts';
export { LedgerService, type SubmittedTransaction } from './ledgerService.ts';
export { LedgerServiceError } from './ledgerServiceError.ts';
export type { Submission } from './queue/submission.ts';
