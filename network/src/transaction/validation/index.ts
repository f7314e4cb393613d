export {
  checkOperation,
  checkOperationSignature,
  checkOperationSource,
  checkResources,
  checkTransaction,
  type TransactionCheck,
} from './checkTransaction.ts';
export { type CommonCheck, checkCommon } from './commonChecks.ts';
export { feeToCharge, inclusionFee } from './fees.ts';
export type { LedgerMoment } from './timing.ts';
