import type { TimeBoundsReading } from '../close/index.ts';
import type { Limits } from '../settings/index.ts';
import type { SimulationTrace, TransactionTrace } from '../trace/index.ts';

/** The ledger that a call closed last. */
export interface ClosedByControl {
  readonly ledger: number;
  /** Hex. */
  readonly hash: string;
  /** Seconds since 1970. */
  readonly closeTime: number;
}

/** How an answer goes wrong. */
export type FaultKind =
  /** `sendTransaction` answers TRY_AGAIN_LATER and takes nothing in. */
  | 'tryAgainLater'
  /** The call is not carried out; the connection ends without an answer. */
  | 'timeout'
  /** The call is carried out; the connection ends without an answer. */
  | 'lost'
  /** The call is carried out at once, and answered later. */
  | 'late'
  /** The call is not carried out; the answer is HTTP 503. */
  | 'error5xx'
  /** `getTransaction` does not find what a ledger has closed. */
  | 'lag';

export type CloseModeName = 'demand' | 'interval' | 'manual';

/** How a simulation treats authorization, as `simulateTransaction` takes it. */
export type TracedAuthMode = 'enforce' | 'record' | 'record_allow_nonroot';

/** Every method of control: its parameters and its result. */
export interface ControlCalls {
  svc_advanceLedgers: { params: { count: number }; result: ClosedByControl };
  svc_advanceTime: { params: { seconds: number }; result: ClosedByControl };
  svc_closeLedger: { params: Record<string, never> | undefined; result: ClosedByControl };
  svc_setCloseMode: {
    params: { mode: CloseModeName; milliseconds?: number };
    result: { mode: CloseModeName };
  };
  svc_setTimeBounds: { params: { by: TimeBoundsReading }; result: { by: TimeBoundsReading } };
  svc_snapshot: {
    params: Record<string, never> | undefined;
    result: { id: string; ledger: number };
  };
  svc_revert: { params: { id: string }; result: ClosedByControl };
  svc_reset: { params: Record<string, never> | undefined; result: ClosedByControl };
  svc_dropTransaction: { params: { hash: string }; result: { dropped: boolean } };
  svc_dumpState: {
    params: Record<string, never> | undefined;
    result: { passphrase: string; state: string };
  };
  svc_loadState: { params: { passphrase: string; state: string }; result: ClosedByControl };
  svc_setEntry: {
    params: { entry: string; liveUntilLedger?: number } | { remove: string };
    result: ClosedByControl;
  };
  svc_expireEntry: { params: { key: string }; result: ClosedByControl };
  svc_setSettings: { params: { limits: Limits }; result: ClosedByControl };
  svc_setBalance: {
    params: { account: string; asset: string; amount: string };
    result: ClosedByControl;
  };
  svc_upgradeProtocol: { params: { protocol: number }; result: ClosedByControl };
  svc_impersonate: { params: { account: string; on: boolean }; result: { accounts: string[] } };
  svc_autoImpersonate: { params: { on: boolean }; result: { on: boolean } };
  svc_injectFault: {
    params: { method: string; kind: FaultKind; times?: number; milliseconds?: number };
    result: { pending: number };
  };
  svc_traceTransaction: { params: { hash: string }; result: TransactionTrace };
  svc_traceSimulation: {
    params: { transaction: string; authMode?: TracedAuthMode };
    result: SimulationTrace;
  };
  svc_clearFaults: { params: Record<string, never> | undefined; result: { cleared: number } };
}

export type ControlMethod = keyof ControlCalls;
