import type { CallOutcome } from './callTree.ts';
import type { TracedError } from './errorWords.ts';

/** A value with its name and type from the contract's interface. */
export interface TracedValue {
  readonly name: string;
  /** As in Rust: `Address`, `Vec<u32>`; empty if unknown. */
  readonly type: string;
  readonly value: string;
  /** An amount in units of the asset, such as `0.6 USDC`. */
  readonly amount?: string;
}

export interface TracedContract {
  /** `C…` */
  readonly id: string;
  /** Null if it has no name. */
  readonly name: string | null;
}

/** One call of a contract function. */
export interface TracedCall {
  readonly contract: TracedContract;
  readonly function: string;
  readonly arguments: readonly TracedValue[];
  readonly outcome: CallOutcome;
  readonly result: TracedValue | null;
  /** Addresses whose authorization covers this call. */
  readonly authorizedBy: readonly string[];
  /** What the call consumed, including nested calls; null if not measured. */
  readonly cpuInstructions: number | null;
  readonly memoryBytes: number | null;
  readonly steps: readonly TracedStep[];
}

/** What happened within a call, in order. */
export type TracedStep =
  | ({ readonly kind: 'call' } & TracedCall)
  | {
      readonly kind: 'event';
      readonly topics: readonly string[];
      readonly data: string;
      readonly amount?: string;
    }
  | { readonly kind: 'log'; readonly text: string }
  | ({ readonly kind: 'error'; readonly text: string } & TracedError);

/** The failed call in which the failure of the invocation began. */
export interface TracedFailure extends TracedError {
  readonly contract: TracedContract | null;
  readonly function: string | null;
  /** The text that the host recorded with the error. */
  readonly text: string;
}

/** An authorization that the transaction carries or that a simulation requires. */
export interface TracedAuthorization {
  /** `G…` or `C…`. */
  readonly by: string;
  /** Whether it is given by the signature of the transaction. */
  readonly bySource: boolean;
  /** The last ledger in which it can be used; null for the source account, and if nobody has signed yet. */
  readonly validUntilLedger: number | null;
  /** The calls that it covers, outermost first. */
  readonly calls: readonly string[];
}

/** A ledger entry that the transaction declares. */
export interface TracedEntry {
  /** The contract that owns it; null for accounts, trustlines and code. */
  readonly contract: TracedContract | null;
  readonly key: string;
  readonly kind: 'instance' | 'persistent' | 'temporary' | 'code' | 'classic';
  readonly access: 'read' | 'write';
  /** Null if it did not exist or did not change. */
  readonly before: string | null;
  readonly after: string | null;
  /** Whether it changed. */
  readonly changed: boolean;
  /** The last ledger in which it is live; null if unknown, and for entries that never expire. */
  readonly liveUntilLedger: number | null;
  /** The last ledger in which it was live before the transaction, if the transaction changed it. */
  readonly liveUntilLedgerBefore: number | null;
}

/** What an invocation did and why it failed. */
export interface InvocationTrace {
  readonly successful: boolean;
  /** Null if it succeeded. */
  readonly failure: TracedFailure | null;
  readonly cpuInstructions: number | null;
  readonly memoryBytes: number | null;
  readonly steps: readonly TracedStep[];
  readonly authorization: readonly TracedAuthorization[];
  readonly storage: readonly TracedEntry[];
  /** Whether something was left out because there was too much of it. */
  readonly cut: boolean;
}

/** A trace with its description in words. */
export interface ToldTrace extends InvocationTrace {
  /** The payment in sentences; empty for other calls. */
  readonly story: readonly string[];
  /** The complete trace, for a terminal. */
  readonly text: string;
}
