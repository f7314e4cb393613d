export type { CloseMode, LedgerClock } from './close/index.ts';
export { LedgerServiceError } from './close/index.ts';
export type { ControlCalls, ControlMethod } from './control/index.ts';
export { ForkError, type ForkOptions } from './fork/index.ts';
export type { GenesisAccounts, LocalAccount } from './genesis/index.ts';
export { DEFAULT_PROTOCOL, HostNotInstalledError, UnsupportedProtocolError } from './hostModule.ts';
export { PortError } from './http/ledgerServer.ts';
export type { AccountsOption, LedgerOptions, TraceOption } from './ledgerOptions.ts';
export { PersistenceError } from './persistence/index.ts';
export { RpcError } from './rpc/index.ts';
export type { LedgerCertificateAuthority, LedgerUrls, RunningLedger } from './runningLedger.ts';
export { type Limits, LimitsError, type LimitsFile } from './settings/index.ts';
export { startLedger } from './startLedger.ts';
export {
  type CostReport,
  type FunctionCost,
  flameGraph,
  type SimulationTrace,
  type TransactionTrace,
} from './trace/index.ts';
export { type SuiteLedger, type TestHooks, useLedger } from './useLedger.ts';
