export { applySorobanOperation, prngSeedOf } from './applySorobanOperation.ts';
export { checkSorobanOperation } from './checkSorobanOperation.ts';
export { sizeForRent } from './entryLimits.ts';
export {
  diskReadEntries,
  footprintKey,
  isPersistentKey,
  isSorobanKey,
} from './footprintKeys.ts';
export { resourceFeeOf } from './resourceFee.ts';
export { type ReadArchive, SorobanLedger } from './sorobanLedger.ts';
