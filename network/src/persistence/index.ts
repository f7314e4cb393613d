export { writeFileAtomically } from './atomicFile.ts';
export { LedgerFolder } from './ledgerFolder.ts';
export { type NetworkIdentity, newSeed } from './networkIdentity.ts';
export { PersistenceError, type PersistenceErrorCode } from './persistenceError.ts';
export { decodeState, encodeState } from './snapshot.ts';
