import type { MessagePort } from 'node:worker_threads';
import type {
  HostSetup,
  SimulateInvokeOutcome,
  SimulateInvokeRequest,
  StoredEntry,
  Xdr,
} from '../host/index.ts';

/** An entry, or that there is none. */
export interface KnownEntry {
  readonly key: Xdr;
  readonly stored: StoredEntry | null;
}

/** What becomes of the outcome. */
export interface Rendering {
  /** For the thread's `render`. */
  readonly format: string;
  /** Whether the outcome itself is wanted too. */
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

/** The answer to a request for an entry; `stale` ends the run, because the ledger that it began on was followed by another one. */
export type Reading = StoredEntry | null | 'stale';

/** Messages of the thread. It is blocked from a `read` until the reading arrives. */
export type ThreadMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'read'; readonly id: number; readonly key: Xdr }
  | { readonly kind: 'stale'; readonly id: number }
  | ({ readonly kind: 'done'; readonly id: number } & RenderedOutcome);

/** An outcome as text, which costs the receiving thread little however much it is. */
export interface RenderedOutcome {
  readonly text: string;
  /** Of the ledger that it ran on. */
  readonly sequence: number;
  readonly cpuInstructions: number;
  readonly outcome: SimulateInvokeOutcome | undefined;
}

/** What the thread is started with. */
export interface ThreadData {
  readonly readings: MessagePort;
  /** One number: how many readings were sent. The thread waits for it to grow. */
  readonly sent: Int32Array;
}
