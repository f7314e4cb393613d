export type { CloseMode } from './close/closeMode.ts';
export type { LedgerClock } from './close/ledgerClock.ts';
export type { GenesisAccounts, LocalAccount } from './genesis/genesisAccounts.ts';
export type { LedgerOptions } from './ledgerOptions.ts';
export type {
  LedgerCertificateAuthority,
  LedgerUrls,
  RunningLedger,
} from './runningLedger.ts';

import type { LedgerOptions } from './ledgerOptions.ts';
import type { RunningLedger } from './runningLedger.ts';

/** Starts a Stellar network in this process. Many can run side by side. */
export type StartLedger = (options?: LedgerOptions) => Promise<RunningLedger>;
