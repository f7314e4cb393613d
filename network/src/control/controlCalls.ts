import type { TimeBoundsReading } from '../close/index.ts';
import type { Limits } from '../settings/index.ts';
import type { SimulationTrace, TransactionTrace } from '../trace/index.ts';

/** The last ledger that a call closed. */
export interface ClosedByControl {
  readonly ledger: number;
  /** Hex. */
  readonly hash: string;
  /** Seconds since 1970. */
  readonly closeTime: number;
}

/** How a call fails. */
export type FaultKind =
  /** `sendTransaction` returns TRY_AGAIN_LATER and does not accept the transaction. */
  | 'tryAgainLater'
  /** The call is not carried out; the connection ends without an answer. */
  | 'timeout'
  /** The call is carried out; the connection ends without an answer. */
  | 'lost'
  /** The call is carried out at once and answered later. */
  | 'late'
  /** The call is not carried out; the answer is HTTP 503. */
  | 'error5xx'
  /** `getTransaction` does not find a transaction that is in a closed ledger. */
  | 'lag';

export type CloseModeName = 'demand' | 'interval' | 'manual';

/** How a simulation treats authorization, as in `simulateTransaction`. */
export type TracedAuthMode = 'enforce' | 'record' | 'record_allow_nonroot';

/** Every control method, with its parameters and its result. */
export interface ControlCalls {
  /** Goes ahead by `count` ledgers. */
  svc_advanceLedgers: { params: { count: number }; result: ClosedByControl };
  /** Moves the network's time forward and closes a ledger. */
  svc_advanceTime: { params: { seconds: number }; result: ClosedByControl };
  /** Closes a ledger with the waiting transactions. */
  svc_closeLedger: { params: Record<string, never> | undefined; result: ClosedByControl };
  /** Changes when ledgers close. */
  svc_setCloseMode: {
    params: { mode: CloseModeName; milliseconds?: number };
    result: { mode: CloseModeName };
  };
  /** Changes what time bounds are compared with. */
  svc_setTimeBounds: { params: { by: TimeBoundsReading }; result: { by: TimeBoundsReading } };
  /** Keeps a snapshot of the state and returns its id. */
  svc_snapshot: {
    params: Record<string, never> | undefined;
    result: { id: string; ledger: number };
  };
  /** Returns to a snapshot, which stays usable. */
  svc_revert: { params: { id: string }; result: ClosedByControl };
  /** Returns to the state after genesis. */
  svc_reset: { params: Record<string, never> | undefined; result: ClosedByControl };
  /** Removes a transaction from the queue. */
  svc_dropTransaction: { params: { hash: string }; result: { dropped: boolean } };
  /** Returns the entire state as text. */
  svc_dumpState: {
    params: Record<string, never> | undefined;
    result: { passphrase: string; state: string };
  };
  /** Replaces the state with a dump. */
  svc_loadState: { params: { passphrase: string; state: string }; result: ClosedByControl };
  /** Writes or removes a ledger entry (base64 XDR). */
  svc_setEntry: {
    params: { entry: string; liveUntilLedger?: number } | { remove: string };
    result: ClosedByControl;
  };
  /** Expires an entry. */
  svc_expireEntry: { params: { key: string }; result: ClosedByControl };
  /** Changes limits, fees and lifetimes. */
  svc_setSettings: { params: { limits: Limits }; result: ClosedByControl };
  /** Sets a balance; `amount` is a decimal number. */
  svc_setBalance: {
    params: { account: string; asset: string; amount: string };
    result: ClosedByControl;
  };
  /** Upgrades the network. */
  svc_upgradeProtocol: { params: { protocol: number }; result: ClosedByControl };
  /** Accepts transactions and authorization entries of an account without its signature. */
  svc_impersonate: { params: { account: string; on: boolean }; result: { accounts: string[] } };
  /** The same for every account. */
  svc_autoImpersonate: { params: { on: boolean }; result: { on: boolean } };
  /** Makes the next calls of a method fail in a chosen way. */
  svc_injectFault: {
    params: { method: string; kind: FaultKind; times?: number; milliseconds?: number };
    result: { pending: number };
  };
  /** Returns the calls of a past transaction as a tree. */
  svc_traceTransaction: { params: { hash: string }; result: TransactionTrace };
  /** Returns the calls of a simulation as a tree. */
  svc_traceSimulation: {
    params: { transaction: string; authMode?: TracedAuthMode };
    result: SimulationTrace;
  };
  /** Removes pending faults. */
  svc_clearFaults: { params: Record<string, never> | undefined; result: { cleared: number } };
}

export type ControlMethod = keyof ControlCalls;
