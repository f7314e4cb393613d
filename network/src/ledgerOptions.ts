import type { CloseMode, LedgerClock, TimeBoundsReading } from './close/index.ts';
import type { ForkOptions } from './fork/index.ts';
import type { SupportedProtocol } from './hostModule.ts';
import type { LedgerUrls, RunningLedger } from './runningLedger.ts';
import type { Limits } from './settings/index.ts';
import type { SimulationTrace, TransactionTrace } from './trace/index.ts';

/** How many accounts to fund, and their balance. */
export interface AccountsOption {
  /** From 1 to 1,000. */
  readonly count: number;
  /** XLM for each of them, from 1 to 100,000,000. Default `'10000'`. */
  readonly balance?: string;
}

/** What to trace while the network runs, and the callback that receives traces. */
export interface TraceOption {
  /** Only failures, or every transaction and simulation that calls a contract. */
  readonly of: 'failed' | 'all';
  /** Called with each trace: that of a transaction once its ledger has closed, that of a simulation before it is answered. */
  readonly onTrace: (trace: TransactionTrace | SimulationTrace) => void;
}

/** How to run a network. Everything has a default. */
export interface LedgerOptions {
  /** Folder in which ledgers are stored; without one, the network is in memory and ends with the process. */
  readonly dataFolder?: string;
  /**
   * IP address on which to listen besides the loopback interface, for containers and other devices: one of this machine, or
   * `0.0.0.0` or `::` for all of them. Everybody who can reach it controls the network. Requests must name an IP address, a
   * name without a dot, or `host.docker.internal`. Default: only the loopback interface.
   */
  readonly host?: string;
  /** Port on 127.0.0.1: a number, 0 for any free one, null for none. Default: 8000. */
  readonly port?: number | null;
  /** What to do if the port is in use. Default: use the next free one. */
  readonly busyPort?: 'refuse' | 'move';
  /** Network passphrase. Default: testnet's. */
  readonly passphrase?: string;
  /**
   * String from which the keys of the genesis accounts derive. Default: the one stored in the data folder at the first start;
   * without a data folder, a new one each time.
   */
  readonly seed?: string;
  /**
   * Accounts that are created and funded before the network is ready. Their keys derive from the seed. An account that is
   * already in the data folder keeps its balance. Default: none.
   */
  readonly accounts?: AccountsOption;
  /** When ledgers close. Default: on demand. */
  readonly close?: CloseMode;
  /**
   * Protocol that the network runs. Default: the protocol of the data folder or the forked network, 28 for a new network.
   * A network in a data folder that runs an older protocol is upgraded.
   */
  readonly protocol?: SupportedProtocol;
  /**
   * Limits, fees and lifetimes: `testnet`, `unlimited`, or some or all settings in the format of stellar-core's files. Default:
   * those of the data folder or the forked network; testnet's for a new network.
   */
  readonly limits?: Limits;
  /**
   * Whether simulations record address-bound credentials if a client asks for them (`useUpgradedAuth`, which
   * `@stellar/stellar-sdk` 17 does). Default: true. Set it to false for clients that cannot sign these.
   */
  readonly upgradedAuth?: boolean;
  /**
   * Whether the network accepts transactions and operations of every account without signatures, until
   * `svc_autoImpersonate` says otherwise. Default: false.
   */
  readonly autoImpersonate?: boolean;
  /**
   * The clock that time bounds of transactions are compared with: the network's time, or this machine's clock, which differs
   * after `svc_advanceTime`. Default: the network's time.
   */
  readonly timeBounds?: TimeBoundsReading;
  /** Bytes or path of the Soroban host's WebAssembly. Default: the one that comes with the package. */
  readonly hostModule?: Uint8Array | string;
  /** Maximum number of available closed ledgers. Default: 17,280, a day on testnet. */
  readonly retainedLedgers?: number;
  /**
   * Another network to fork. Missing entries are read from it once, and changes are written only here. A fork is kept in memory
   * and has the other network's passphrase.
   */
  readonly fork?: ForkOptions;
  /** The clock that determines when ledgers close. Default: this machine's. */
  readonly clock?: LedgerClock;
  /**
   * Address of a facilitator on this network, once it is known. The page of a transaction that its sponsor paid for then links
   * to the facilitator's record of the settlement (`GET /settlements/{hash}`).
   */
  readonly facilitatorUrl?: () => string | undefined;
  /**
   * Called when the port answers over HTTP. HTTPS and the promise of `startLedger` wait for the promise that this returns, so
   * work that needs neither can start before certificates are created.
   */
  readonly onReachable?: (
    network: Pick<RunningLedger, 'accounts' | 'contracts'> & { readonly urls: LedgerUrls },
  ) => Promise<void>;
  /** Traces transactions and simulations as they happen. Default: none; `svc_traceTransaction` traces past transactions. */
  readonly trace?: TraceOption;
  /**
   * File to which the costs of contract calls are written as JSON at the end, by contract function
   * (`svc-x402 compare-costs` compares two of them). Default: none.
   */
  readonly costReport?: string;
  /** Called with errors that no caller receives, such as a connection that could not be served. */
  readonly onFault?: (fault: Error) => void;
}

const CLOCK = ['now', 'after', 'soon'] as const;
const CLOSE_KINDS: readonly unknown[] = ['demand', 'interval', 'manual'];
const CALLBACKS = ['facilitatorUrl', 'onReachable', 'onFault'] as const;

/**
 * Refuses options of another form than documented, which callers without types pass, in words that name the option.
 * @throws TypeError
 */
export function checkOptions(options: LedgerOptions): void {
  const { clock, close, accounts, fork, trace } = options;
  if (clock !== undefined && !CLOCK.every((name) => hasFunction(clock, name))) {
    throw new TypeError(
      'clock must be an object with the functions now, after and soon (LedgerClock). ' +
        'A function that returns the time is its now.',
    );
  }
  if (close !== undefined && !(isObject(close) && CLOSE_KINDS.includes(close.kind))) {
    throw new TypeError(
      "close must be { kind: 'demand' }, { kind: 'interval', milliseconds } or { kind: 'manual' }",
    );
  }
  if (accounts !== undefined && !isObject(accounts)) {
    throw new TypeError('accounts must be an object: { count, balance }');
  }
  if (fork !== undefined && !isObject(fork)) {
    throw new TypeError('fork must be an object: { rpcUrl, at }');
  }
  if (trace !== undefined && !hasFunction(trace, 'onTrace')) {
    throw new TypeError('trace must be an object: { of, onTrace }, where onTrace is a function');
  }
  for (const name of CALLBACKS) {
    const value: unknown = options[name];
    if (value !== undefined && typeof value !== 'function') {
      throw new TypeError(`${name} must be a function`);
    }
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function hasFunction(value: unknown, name: string): boolean {
  return isObject(value) && typeof Reflect.get(value, name) === 'function';
}
