export {
  applyClassicOperations,
  chargeFee,
  prepareSorobanTransaction,
  prepareTransaction,
  refundFee,
} from './apply/index.ts';
export { currentEnvelope, isSorobanBody, ParsedTransaction } from './envelope/index.ts';
export { TransactionMetaBuilder } from './meta/index.ts';
export { TransactionOutcome } from './result/index.ts';
export {
  createSignatureVerifier,
  Impersonation,
  type SignatureVerifier,
  type VerifySignature,
  verifyAhead,
} from './signature/index.ts';
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
  inclusionFee,
  type LedgerMoment,
  type TransactionCheck,
} from './validation/index.ts';
