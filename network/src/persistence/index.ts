export { writeFileAtomically } from './atomicFile.ts';
export { LedgerFolder, type NetworkIdentity, newSeed } from './ledgerFolder.ts';
export { PersistenceError, type PersistenceErrorCode } from './persistenceError.ts';
export { decodeState, encodeState } from './snapshot.ts';
