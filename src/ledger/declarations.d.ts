// Types of `svc-x402/ledger`: what its sources export, without types of other packages. A test
// compares the two.

/**
 * When ledgers close.
 *  - `demand`: as soon as a transaction waits; when none comes, one every five seconds, as on testnet.
 *  - `interval`: at fixed times, whatever waits.
 *  - `manual`: only when told to.
 */
export type CloseMode =
  | { readonly kind: 'demand' }
  | { readonly kind: 'interval'; readonly milliseconds: number }
  | { readonly kind: 'manual' };

/** Time as the network sees it, so that tests can hold it. */
export interface LedgerClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs `task` after `milliseconds`. Does not keep the process alive. Returns what cancels it. */
  after(milliseconds: number, task: () => void): () => void;
  /** Runs `task` once everything that has already arrived is handled. Returns what cancels it. */
  soon(task: () => void): () => void;
}

/** Another network to go on from. */
export interface ForkOptions {
  /** Stellar RPC of the other network. */
  readonly rpcUrl: string;
  /** The ledger to go on from. Default: the latest. */
  readonly at?: number;
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
  /** Text from which the keys of the accounts of genesis derive. Default: the data folder's, else a new one. */
  readonly seed?: string;
  /** When ledgers close. Default: on demand. */
  readonly close?: CloseMode;
  /** Bytes or path of the Soroban host's WebAssembly. Default: the one that comes with the package. */
  readonly hostModule?: Uint8Array | string;
  /** How many closed ledgers can be asked for. Default 17,280: a day of testnet's. */
  readonly retainedLedgers?: number;
  /** Another network to go on from, read through its RPC and kept in memory. */
  readonly fork?: ForkOptions;
  readonly clock?: LedgerClock;
  /** Told of faults that no caller sees, such as a connection that could not be served. */
  readonly onFault?: (fault: Error) => void;
}

/** An account of genesis whose key derives from the seed. */
export interface LocalAccount {
  /** `G…` */
  readonly address: string;
  /** `S…` */
  readonly secret: string;
}

/** Who is there when the network begins. */
export interface GenesisAccounts {
  readonly root: LocalAccount;
  readonly friendbot: LocalAccount;
  /** Keeps offers on both sides of XLM/USDC. */
  readonly marketMaker: LocalAccount;
  /** Pays the fees of the local facilitator. */
  readonly sponsor: LocalAccount;
  /** The facilitator's 50 channel accounts. */
  readonly channels: readonly LocalAccount[];
  /** Issuer of testnet's USDC (`G…`). Nobody here has its key. */
  readonly usdcIssuer: string;
  /** USDC as a contract (`C…`). */
  readonly usdcContract: string;
  /** XLM as a contract (`C…`). */
  readonly nativeContract: string;
}

/** Where a network listens. Each URL answers over http and https alike. */
export interface LedgerUrls {
  readonly port: number;
  readonly http: string;
  readonly https: string;
  readonly rpc: string;
  readonly rpcTls: string;
  readonly horizon: string;
  readonly friendbot: string;
  readonly control: string;
}

/** Who vouches for the https side. */
export interface LedgerCertificateAuthority {
  /** Path of the PEM file, for NODE_EXTRA_CA_CERTS; null without a data folder. */
  readonly file: string | null;
  readonly pem: string;
}

/** The ledger that a call closed last. */
export interface ClosedByControl {
  readonly ledger: number;
  /** Hex. */
  readonly hash: string;
  /** Seconds since 1970. */
  readonly closeTime: number;
}

type Nothing = Record<string, never> | undefined;

/** Every method of control: what it takes, and what it gives. */
export interface ControlCalls {
  svc_advanceLedgers: { params: { count: number }; result: ClosedByControl };
  svc_advanceTime: { params: { seconds: number }; result: ClosedByControl };
  svc_closeLedger: { params: Nothing; result: ClosedByControl };
  svc_setCloseMode: {
    params: { mode: 'demand' | 'interval' | 'manual'; milliseconds?: number };
    result: { mode: 'demand' | 'interval' | 'manual' };
  };
  svc_snapshot: { params: Nothing; result: { id: string; ledger: number } };
  svc_revert: { params: { id: string }; result: ClosedByControl };
  svc_dumpState: { params: Nothing; result: { passphrase: string; state: string } };
  svc_loadState: { params: { passphrase: string; state: string }; result: ClosedByControl };
  svc_setEntry: {
    params: { entry: string; liveUntilLedger?: number } | { remove: string };
    result: ClosedByControl;
  };
  svc_setBalance: {
    params: { account: string; asset: string; amount: string };
    result: ClosedByControl;
  };
  svc_impersonate: { params: { account: string; on: boolean }; result: { accounts: string[] } };
  svc_injectFault: {
    params: {
      method: string;
      kind: 'tryAgainLater' | 'timeout' | 'lost' | 'late' | 'error5xx' | 'lag';
      times?: number;
      milliseconds?: number;
    };
    result: { pending: number };
  };
  svc_clearFaults: { params: Nothing; result: { cleared: number } };
}

export type ControlMethod = keyof ControlCalls;

/** A network that runs in this process. */
export interface RunningLedger {
  readonly passphrase: string;
  /** Null when it was started without a port. */
  readonly urls: LedgerUrls | null;
  /** Null when it was started without a port. */
  readonly certificateAuthority: LedgerCertificateAuthority | null;
  readonly accounts: GenesisAccounts;
  /** The project's own contracts (`C…`); null where the network began without one. */
  readonly contracts: { readonly upto: string | null };
  /**
   * Calls a method of Stellar RPC without a socket, and gives its `result`.
   * @throws RpcError with the code and message that the server would answer
   */
  call(method: string, params?: object): Promise<unknown>;
  /**
   * Calls a method of control: time, state and faults of this network.
   * @throws RpcError where a parameter cannot be what it is, LedgerServiceError
   */
  control<M extends ControlMethod>(
    method: M,
    params?: ControlCalls[M]['params'],
  ): Promise<ControlCalls[M]['result']>;
  /** Closes a ledger now, with whatever waits. Gives its sequence. */
  closeLedger(): number;
  /** Stops listening and closing, and leaves the data folder to others. */
  close(): Promise<void>;
}

/** Starts a network. @throws PortError, PersistenceError, ForkError */
export function startLedger(options?: LedgerOptions): Promise<RunningLedger>;

/** Why a network does not do what it was asked for. */
export class LedgerServiceError extends Error {
  readonly code: 'STOPPED' | 'FAILED' | 'DROPPED';
}

/** Why a network cannot be forked, or not read further. */
export class ForkError extends Error {
  readonly code: 'UNREACHABLE' | 'OTHER_PROTOCOL' | 'BAD_OPTIONS' | 'CHANGED_SINCE';
}

/** The port that the network was told to use belongs to somebody else. */
export class PortError extends Error {
  readonly code: 'PORT_BUSY';
  readonly port: number;
}

/** Why a data folder cannot be used. */
export class PersistenceError extends Error {
  readonly code: 'FOLDER_IN_USE' | 'OTHER_NETWORK' | 'DAMAGED';
}

/** A failure of a call, as the answer's `error` says it. */
export class RpcError extends Error {
  /** Of JSON-RPC 2.0. */
  readonly code: number;
  readonly data: unknown;
}
