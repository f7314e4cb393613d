/** A sale, by the authorization that pays for it. */
export interface Sale {
  /** The authorization: one key is one sale, whatever else a request says. */
  readonly key: string;
  /** Digest of the payment's bytes and of the request that it is for: method, target and body. */
  readonly request: string;
}

/** What a seller remembers of a sale. */
export type Remembered<Kept> =
  | { readonly state: 'none' }
  /** Another request under the same payment is being served now. */
  | { readonly state: 'serving' }
  /** The payment was presented for another request. */
  | { readonly state: 'other' }
  /** The response is kept, the settlement was asked for, and its outcome is not known. */
  | { readonly state: 'held'; readonly kept: Kept }
  /** The settlement was asked for before serving, and its outcome is not known. */
  | { readonly state: 'asked' }
  /** Paid, and the response is kept. */
  | { readonly state: 'paid'; readonly kept: Kept; readonly receipt: unknown }
  /** Paid, and nothing was delivered in whole. */
  | { readonly state: 'owed'; readonly receipt: unknown }
  /** Paid and delivered, and the response is not kept. */
  | { readonly state: 'gone'; readonly receipt: unknown };

/**
 * Where a seller keeps its sales. Everything that a method promises is stored when it resolves, so that a process that is killed
 * afterwards finds it again. Rejects if it cannot be stored; then nothing is sold.
 */
export interface SaleBook<Kept> {
  /** Looks a sale up. It is `serving` while a claim on it is held. */
  recall(sale: Sale): Promise<Remembered<Kept>>;
  /**
   * Claims a sale for one request: a new sale, or one that an earlier request did not finish. The claim of a process that ended is no
   * longer one.
   * @returns whether nobody else has it
   */
  claim(sale: Sale): Promise<boolean>;
  /**
   * Keeps the response before its settlement is asked for; without one, notes that the settlement is asked for.
   * @param kept `undefined` if the response is not there yet, or cannot be kept
   */
  hold(sale: Sale, kept: Kept | undefined): Promise<void>;
  /** Notes that a sale is paid: with a response it is `paid` and its claim ends, without one it is `owed` and stays claimed. */
  settle(sale: Sale, receipt: unknown): Promise<void>;
  /** Notes that what was owed is delivered, and ends its claim. */
  deliver(sale: Sale): Promise<void>;
  /** Ends a claim, and forgets nothing. */
  leave(sale: Sale): Promise<void>;
  /** Ends a claim, and forgets a sale that is not paid and never will be. */
  release(sale: Sale): Promise<void>;
}

/** How much a book in memory keeps. */
export interface MemoryBookOptions<Kept> {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** How long a sale is remembered, in milliseconds. Default: 25 hours, one more than a facilitator repeats its outcome. */
  readonly keptMs?: number;
  /** Sales whose responses are kept. Default: 1,000. */
  readonly maxResponses?: number;
  /** Of all responses that are kept together. Default: no bound. */
  readonly maxBytes?: number;
  /** Bytes of a response. Default: 0. */
  readonly sizeOf?: (kept: Kept) => number;
}

const KEPT_MS = 25 * 3_600_000;
const MAX_RESPONSES = 1_000;

interface Entry<Kept> {
  readonly request: string;
  readonly at: number;
  readonly state: 'new' | 'held' | 'paid' | 'gone';
  readonly claimed: boolean;
  readonly kept: Kept | undefined;
  readonly receipt: unknown;
}

/** Keeps sales in memory. A seller that is restarted has forgotten them: buyers whose answers were lost then lose them. */
export function memoryBook<Kept>(options: MemoryBookOptions<Kept>): SaleBook<Kept> {
  const { now, keptMs = KEPT_MS, maxResponses = MAX_RESPONSES } = options;
  const { maxBytes = Number.POSITIVE_INFINITY, sizeOf = () => 0 } = options;
  const entries = new Map<string, Entry<Kept>>();

  function trim(): void {
    const oldest = now() - keptMs;
    for (const [key, { at, claimed }] of entries) {
      if (at >= oldest) break;
      if (!claimed) entries.delete(key);
    }
    const whole = [...entries].flatMap(([key, entry]) =>
      entry.state === 'paid' && entry.kept !== undefined
        ? [{ key, entry, bytes: sizeOf(entry.kept) }]
        : [],
    );
    let left = whole.length;
    let bytes = whole.reduce((sum, each) => sum + each.bytes, 0);
    for (const { key, entry, bytes: own } of whole) {
      if (left <= maxResponses && bytes <= maxBytes) break;
      entries.set(key, { ...entry, state: 'gone', kept: undefined });
      left -= 1;
      bytes -= own;
    }
  }
  function change({ key, request }: Sale, to: (entry: Entry<Kept>) => Partial<Entry<Kept>>): void {
    const entry = entries.get(key);
    if (entry?.request !== request) throw new Error('the sale was never claimed');
    entries.set(key, { ...entry, ...to(entry) });
  }
  return {
    async recall({ key, request }) {
      const entry = entries.get(key);
      if (entry === undefined) return { state: 'none' };
      if (entry.request !== request) return { state: 'other' };
      return entry.claimed ? { state: 'serving' } : remembered(entry);
    },
    async claim({ key, request }) {
      trim();
      const entry = entries.get(key);
      if (entry !== undefined && (entry.claimed || entry.request !== request)) return false;
      const fresh = {
        request,
        at: now(),
        state: 'new',
        kept: undefined,
        receipt: undefined,
      } as const;
      entries.set(key, { ...(entry ?? fresh), claimed: true });
      return true;
    },
    async hold(sale, kept) {
      change(sale, () => ({ state: 'held', kept }));
    },
    async settle(sale, receipt) {
      change(sale, ({ kept }) => ({ state: 'paid', receipt, claimed: kept === undefined }));
    },
    async deliver(sale) {
      change(sale, () => ({ state: 'gone', claimed: false }));
    },
    async leave(sale) {
      change(sale, () => ({ claimed: false }));
    },
    async release({ key, request }) {
      if (entries.get(key)?.request === request) entries.delete(key);
    },
  };
}

/** What an unclaimed entry says. */
function remembered<Kept>({ state, kept, receipt }: Entry<Kept>): Remembered<Kept> {
  switch (state) {
    case 'new':
      return { state: 'none' };
    case 'held':
      return kept === undefined ? { state: 'asked' } : { state, kept };
    case 'paid':
      return kept === undefined ? { state: 'owed', receipt } : { state, kept, receipt };
    case 'gone':
      return { state, receipt };
  }
}
