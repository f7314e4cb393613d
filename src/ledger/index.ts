export type { CloseMode, LedgerClock } from './close/index.ts';
export { LedgerServiceError } from './close/index.ts';
export type { GenesisAccounts, LocalAccount } from './genesis/index.ts';
export { PortError } from './http/index.ts';
export type { LedgerOptions } from './ledgerOptions.ts';
export { PersistenceError } from './persistence/index.ts';
export { RpcError } from './rpc/index.ts';
export type { LedgerCertificateAuthority, LedgerUrls, RunningLedger } from './runningLedger.ts';
export { startLedger } from './startLedger.ts';
