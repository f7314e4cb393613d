export { applySorobanOperation, prngSeedOf } from './applySorobanOperation.ts';
export {
  diskReadEntries,
  footprintKey,
  isPersistentKey,
  isSorobanKey,
} from './footprintKeys.ts';
export { sizeForRent } from './sizeForRent.ts';
export { type ReadArchive, SorobanLedger } from './sorobanLedger.ts';
