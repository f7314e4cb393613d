export { applySorobanOperation, prngSeedOf } from './applySorobanOperation.ts';
export { checkSorobanOperation } from './checkSorobanOperation.ts';
export {
  diskReadEntries,
  footprintKey,
  isPersistentKey,
  isSorobanKey,
} from './footprintKeys.ts';
export { resourceFeeOf } from './resourceFee.ts';
export { sizeForRent } from './sizeForRent.ts';
export { type ReadArchive, SorobanLedger } from './sorobanLedger.ts';
