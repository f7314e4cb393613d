import type { CloseMode, LedgerClock, TimeBoundsReading } from './close/index.ts';
import type { ForkOptions } from './fork/index.ts';
import type { SupportedProtocol } from './hostModule.ts';
import type { LedgerUrls, RunningLedger } from './runningLedger.ts';
import type { Limits } from './settings/index.ts';
import type { SimulationTrace, TransactionTrace } from './trace/index.ts';

/** How many accounts are funded, and with how much. */
export interface AccountsOption {
  /** From 1 to 1,000. */
  readonly count: number;
  /** XLM that each of them holds, from 1 to 100,000,000. Default `'10000'`. */
  readonly balance?: string;
}

/** What is traced while the network runs, and who receives it. */
export interface TraceOption {
  /** Only what failed, or every transaction and simulation that calls a contract. */
  readonly of: 'failed' | 'all';
  /** Called with each trace: of a transaction once its ledger is closed, of a simulation before it is answered. */
  readonly onTrace: (trace: TransactionTrace | SimulationTrace) => void;
}

/** How to run a network. Everything has a default. */
export interface LedgerOptions {
  /** Folder in which ledgers are kept; without one the network lives in memory and ends with the process. */
  readonly dataFolder?: string;
  /** Port on 127.0.0.1: a number, 0 for any free one, null for none at all. Default 8000. */
  readonly port?: number | null;
  /** What to do when the port is taken. Default: move to the next free one. */
  readonly busyPort?: 'refuse' | 'move';
  /** Network passphrase. Default: that of testnet. */
  readonly passphrase?: string;
  /**
   * Text from which the keys of the accounts of genesis derive. Default: the one kept in the data folder, where it is
   * made at the first start; without a data folder a new one each time.
   */
  readonly seed?: string;
  /**
   * Accounts of your own that exist and hold XLM when the network is up. Their keys derive from the seed. An account that
   * the data folder has already keeps its balance. Default: none.
   */
  readonly accounts?: AccountsOption;
  /** When ledgers close. Default: on demand. */
  readonly close?: CloseMode;
  /**
   * Protocol that the network runs. Default: what the data folder or the forked network runs, 28 for a network that begins.
   * A network in a data folder that runs an older protocol is upgraded.
   */
  readonly protocol?: SupportedProtocol;
  /**
   * Limits, fees and lifetimes: testnet's, `unlimited`, or settings as stellar-core's files have them, some or all. Default:
   * what the data folder or the forked network has, testnet's for a network that begins.
   */
  readonly limits?: Limits;
  /**
   * Whether simulations record address-bound credentials where a client asks for them (`useUpgradedAuth`, which
   * `@stellar/stellar-sdk` 17 does). Default: true. False is for clients that cannot sign these.
   */
  readonly upgradedAuth?: boolean;
  /**
   * Whether the network takes transactions and operations of every account without signatures, until
   * `svc_autoImpersonate` says otherwise. Default: false.
   */
  readonly autoImpersonate?: boolean;
  /**
   * What the time bounds of transactions are compared with: the network's time, or this machine's clock where
   * `svc_advanceTime` moved the network's time ahead of it. Default: the network's time.
   */
  readonly timeBounds?: TimeBoundsReading;
  /** Bytes or path of the Soroban host's WebAssembly. Default: the one that comes with the package. */
  readonly hostModule?: Uint8Array | string;
  /** How many closed ledgers are available. Default 17,280: a day of testnet's. */
  readonly retainedLedgers?: number;
  /**
   * Another network to fork: entries that are missing here are read from there, once, and what is written stays here.
   * A fork is kept in memory, and has the passphrase of the other network.
   */
  readonly fork?: ForkOptions;
  /** The time by which ledgers close. Default: this machine's. */
  readonly clock?: LedgerClock;
  /**
   * Address of a facilitator on this network, once it is known. The page of a transaction that its sponsor paid for then
   * links to what the facilitator knows of the settlement (`GET /settlements/{hash}`).
   */
  readonly facilitatorUrl?: () => string | undefined;
  /**
   * Called when the port answers over http. https, and the promise of `startLedger`, wait for what this returns: what needs
   * neither starts before certificates are made.
   */
  readonly onReachable?: (
    network: Pick<RunningLedger, 'accounts' | 'contracts'> & { readonly urls: LedgerUrls },
  ) => Promise<void>;
  /** Traces transactions and simulations as they happen. Default: none; `svc_traceTransaction` has those of the past. */
  readonly trace?: TraceOption;
  /**
   * File to write at the end, as JSON: what the calls of the transactions consumed, by function of a contract
   * (`svc-x402 compare-costs` compares two of them). Default: none.
   */
  readonly costReport?: string;
  /** Called with faults that no caller sees, such as a connection that could not be served. */
  readonly onFault?: (fault: Error) => void;
}
