export { type Amend, type ArchiveMoves, NO_MOVES } from './amendment.ts';
export { applyLedger } from './applyLedger.ts';
export { givenOrder } from './applyOrder.ts';
export { applyRecordedLedger } from './applyRecordedLedger.ts';
export { entryReader } from './entryReader.ts';
export {
  type CloseMode,
  type LedgerClock,
  systemLedgerClock,
  type TimeBoundsReading,
} from './ledgerClock.ts';
export { LedgerEngine } from './ledgerEngine.ts';
export { LedgerService, type SubmittedTransaction } from './ledgerService.ts';
export { LedgerServiceError } from './ledgerServiceError.ts';
export type { Submission } from './queue/transactionQueue.ts';
export { headerHash, sealHeader } from './sealHeader.ts';
export { phasesOf, transactionSetHash } from './transactionSet.ts';
export { writeSettings } from './upgrades/applyUpgrade.ts';
export { isSettingValid, isUpgradeable } from './upgrades/settingValidity.ts';
