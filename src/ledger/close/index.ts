export { type Amend, type ArchiveMoves, NO_MOVES } from './amendment.ts';
export { applyRecordedLedger } from './applyRecordedLedger.ts';
export type { CloseMode } from './closeMode.ts';
export { type LedgerClock, systemLedgerClock } from './ledgerClock.ts';
export { LedgerEngine } from './ledgerEngine.ts';
export { LedgerService, type SubmittedTransaction } from './ledgerService.ts';
export { LedgerServiceError } from './ledgerServiceError.ts';
export type { Submission } from './queue/submission.ts';
export { headerHash } from './sealHeader.ts';
