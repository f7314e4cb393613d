export { chargeFee, refundFee } from './apply/chargeFee.ts';
export { applyClassicOperations } from './apply/classicOperations.ts';
export { prepareSorobanTransaction, prepareTransaction } from './apply/prepareTransaction.ts';
export { currentEnvelope, isSorobanBody, ParsedTransaction } from './envelope/index.ts';
export { TransactionMetaBuilder } from './meta/transactionMeta.ts';
export { TransactionOutcome } from './result/transactionOutcome.ts';
export { Impersonation } from './signature/impersonation.ts';
export {
  createSignatureVerifier,
  type SignatureVerifier,
  type VerifySignature,
  verifyAhead,
} from './signature/signatureChecker.ts';
export {
  applySorobanOperation,
  diskReadEntries,
  footprintKey,
  isPersistentKey,
  isSorobanKey,
  prngSeedOf,
  type ReadArchive,
  SorobanLedger,
  sizeForRent,
} from './soroban/index.ts';
export type { TransactionEnvironment } from './transactionEnvironment.ts';
export {
  checkResources,
  checkTransaction,
  type TransactionCheck,
} from './validation/checkTransaction.ts';
export { inclusionFee } from './validation/fees.ts';
export type { LedgerMoment } from './validation/timing.ts';
