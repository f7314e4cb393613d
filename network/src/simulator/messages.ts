import type { MessagePort } from 'node:worker_threads';
import type {
  HostSetup,
  SimulateInvokeOutcome,
  SimulateInvokeRequest,
  StoredEntry,
  Xdr,
} from '../host/index.ts';

/** A key and its entry, or null if there is none. */
export interface KnownEntry {
  readonly key: Xdr;
  readonly stored: StoredEntry | null;
}

/** How the outcome is rendered. */
export interface Rendering {
  /** For the thread's `render`. */
  readonly format: string;
  /** Whether the outcome itself is also wanted. */
  readonly withOutcome: boolean;
}

/** A run on one ledger. */
export interface RunMessage {
  readonly id: number;
  readonly protocol: number;
  readonly setup: HostSetup;
  readonly request: Omit<SimulateInvokeRequest, 'read'>;
  readonly rendering: Rendering;
  /** Entries that the run is likely to read. All others are requested one at a time. */
  readonly known: readonly KnownEntry[];
}

/** The answer to a request for an entry; `stale` ends the run, because another ledger has closed since it began. */
export type Reading = StoredEntry | null | 'stale';

/** Messages from the thread, which is blocked after a `read` until the reading arrives. */
export type ThreadMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'read'; readonly id: number; readonly key: Xdr }
  | { readonly kind: 'stale'; readonly id: number }
  | ({ readonly kind: 'done'; readonly id: number } & RenderedOutcome);

/** An outcome as text, which is cheap for the receiving thread whatever its size. */
export interface RenderedOutcome {
  readonly text: string;
  /** Sequence of the ledger on which it ran. */
  readonly sequence: number;
  readonly cpuInstructions: number;
  readonly outcome: SimulateInvokeOutcome | undefined;
}

/** The data with which the thread is started. */
export interface ThreadData {
  readonly readings: MessagePort;
  /** One number: how many readings were sent. The thread waits for it to increase. */
  readonly sent: Int32Array;
}
