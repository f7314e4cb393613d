import type { CallOutcome } from './callTree.ts';
import type { TracedError } from './errorWords.ts';

/** A value with its name and type, as the interface of the contract has them. */
export interface TracedValue {
  readonly name: string;
  /** As in Rust: `Address`, `Vec<u32>`; empty where no interface says it. */
  readonly type: string;
  readonly value: string;
  /** An amount of an asset in its units, such as `0.6 USDC`. */
  readonly amount?: string;
}

export interface TracedContract {
  /** `C…` */
  readonly id: string;
  /** Null where nobody has named it. */
  readonly name: string | null;
}

/** One call of a contract's function. */
export interface TracedCall {
  readonly contract: TracedContract;
  readonly function: string;
  readonly arguments: readonly TracedValue[];
  readonly outcome: CallOutcome;
  readonly result: TracedValue | null;
  /** Addresses whose authorization covers this call. */
  readonly authorizedBy: readonly string[];
  /** What the call and those within it consumed; null where that was not measured. */
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

/** The call that failed first among those that made the whole fail. */
export interface TracedFailure extends TracedError {
  readonly contract: TracedContract | null;
  readonly function: string | null;
  /** What the host recorded with the error. */
  readonly text: string;
}

/** An authorization that the transaction carries, or that a simulation asks for. */
export interface TracedAuthorization {
  /** `G…` or `C…`. */
  readonly by: string;
  /** Whether the signature of the transaction stands for it. */
  readonly bySource: boolean;
  /** The last ledger in which it can be used; null for the source account, and where nobody has signed yet. */
  readonly validUntilLedger: number | null;
  /** The calls that it covers, outermost first. */
  readonly calls: readonly string[];
}

/** An entry of the ledger that the transaction declares. */
export interface TracedEntry {
  /** The contract that owns it; null for accounts, trustlines and code. */
  readonly contract: TracedContract | null;
  readonly key: string;
  readonly kind: 'instance' | 'persistent' | 'temporary' | 'code' | 'classic';
  readonly access: 'read' | 'write';
  /** Null where it did not exist, and where it did not change. */
  readonly before: string | null;
  readonly after: string | null;
  /** Whether it changed. */
  readonly changed: boolean;
  /** The last ledger in which it is live; null where that is not known, and for entries that never expire. */
  readonly liveUntilLedger: number | null;
  /** That ledger before the transaction, if the transaction moved it. */
  readonly liveUntilLedgerBefore: number | null;
}

/** What an invocation did and why it failed. */
export interface InvocationTrace {
  readonly successful: boolean;
  /** Null where it succeeded. */
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
  /** All of it for a terminal. */
  readonly text: string;
}
