export { applySorobanOperation, prngSeedOf } from './applySorobanOperation.ts';
export { entryXdr } from './entryXdr.ts';
export { isPersistentKey, isSorobanKey } from './footprintKeys.ts';
export { sizeForRent } from './sizeForRent.ts';
export { type ReadArchive, SorobanLedger } from './sorobanLedger.ts';
