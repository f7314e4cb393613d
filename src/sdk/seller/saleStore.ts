/** A stored response, as plain JSON. */
export interface StoredResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Base64. */
  readonly body: string;
}

/** A sale as a seller keeps it: plain JSON, for a store of any kind. */
export interface StoredSale {
  /** The buyer's payment identifier. */
  readonly id: string;
  /** Digest of the payload, method and path that the sale was for. */
  readonly fingerprint: string;
  /** The response that was sold; missing if it was too long, broke off, or made room for others. */
  readonly response?: StoredResponse | undefined;
  /** Milliseconds since the epoch. */
  readonly soldAt: number;
}

/**
 * Where a seller keeps its sales. An app with several processes gives them one store, such as a table whose key is the
 * identifier. A facilitator answers a repeated payment for up to a day: a sale that is forgotten earlier could be served again,
 * so keep it for longer, even without its response.
 */
export interface SaleStore {
  /** Returns the sale with this identifier, unless it has expired. */
  find(id: string): Promise<StoredSale | undefined>;
  /** Keeps a sale. If its identifier has one already, that one stays. */
  keep(sale: StoredSale): Promise<void>;
}

/** How much a store keeps. The oldest responses go first, and the sales without them stay. */
export interface SaleStoreOptions {
  /** Responses to keep. Default: 1,000. */
  readonly maxResponses?: number;
  /** Of all responses together, as they are kept. Default: 32 MiB. */
  readonly maxBytes?: number;
  /** Sales to remember, with their responses or without. Default: 100,000. */
  readonly maxSales?: number;
  /** How long a sale is remembered, in milliseconds. Default: 25 hours, one more than a facilitator answers it. */
  readonly keptMs?: number;
  readonly now?: () => number;
}

const MAX_RESPONSES = 1_000;
const MAX_BYTES = 32 << 20;
const MAX_SALES = 100_000;
const KEPT_MS = 25 * 3_600_000;
/** Lines of a file that are no longer needed, before it is written again. */
const MAX_STALE_LINES = 100;

function sizeOf(response: StoredResponse | undefined): number {
  if (response === undefined) return 0;
  const { headers, body } = response;
  return headers.reduce((sum, [name, value]) => sum + name.length + value.length, body.length);
}

/** The sales of one process, in the order in which they were made. */
class KeptSales {
  readonly #sales = new Map<string, StoredSale>();
  /** Those whose responses are kept, oldest first. */
  readonly #whole = new Set<string>();
  readonly #limits: Required<Omit<SaleStoreOptions, 'now'>>;
  readonly #now: () => number;
  #bytes = 0;

  constructor({ now = Date.now, ...limits }: SaleStoreOptions) {
    this.#limits = {
      maxResponses: limits.maxResponses ?? MAX_RESPONSES,
      maxBytes: limits.maxBytes ?? MAX_BYTES,
      maxSales: limits.maxSales ?? MAX_SALES,
      keptMs: limits.keptMs ?? KEPT_MS,
    };
    this.#now = now;
  }

  get all(): readonly StoredSale[] {
    return [...this.#sales.values()];
  }

  find(id: string): StoredSale | undefined {
    this.#trim();
    return this.#sales.get(id);
  }

  /** @returns whether it was not known before */
  keep(sale: StoredSale): boolean {
    if (this.#sales.has(sale.id)) return false;
    this.#sales.set(sale.id, sale);
    if (sale.response !== undefined) this.#whole.add(sale.id);
    this.#bytes += sizeOf(sale.response);
    this.#trim();
    return true;
  }

  #dropResponse(id: string): void {
    const sale = this.#sales.get(id);
    if (sale === undefined || !this.#whole.delete(id)) return;
    this.#bytes -= sizeOf(sale.response);
    const { response: _, ...rest } = sale;
    this.#sales.set(id, rest);
  }

  #trim(): void {
    const { maxResponses, maxBytes, maxSales, keptMs } = this.#limits;
    const oldest = this.#now() - keptMs;
    for (const [id, { soldAt }] of this.#sales) {
      if (soldAt >= oldest && this.#sales.size <= maxSales) break;
      this.#dropResponse(id);
      this.#sales.delete(id);
    }
    for (const id of this.#whole) {
      if (this.#whole.size <= maxResponses && this.#bytes <= maxBytes) break;
      this.#dropResponse(id);
    }
  }
}

/**
 * Keeps sales in memory. After a restart, a payment of the last day could be presented again and be served once more:
 * `fileSales` remembers it.
 *
 * @example
 * ```ts
 * import { memorySales } from 'svc-x402-sdk';
 *
 * const store = memorySales();
 * console.log(await store.find('order_0000000000001')); // undefined
 * ```
 */
export function memorySales(options: SaleStoreOptions = {}): SaleStore {
  const sales = new KeptSales(options);
  return {
    find: async (id) => sales.find(id),
    async keep(sale) {
      sales.keep(sale);
    },
  };
}

/** The functions of `node:fs/promises` that are used. */
interface Files {
  readFile(path: string, encoding: 'utf8'): Promise<string>;
  writeFile(path: string, text: string, options: { mode: number; flush?: boolean }): Promise<void>;
  appendFile(path: string, text: string, options: { mode: number; flush?: boolean }): Promise<void>;
  rename(from: string, to: string): Promise<void>;
}

/** Imports the module at run time: browsers do not have it, and bundlers for them must not look for it. */
function openFiles(): Promise<Files> {
  // Assembled at run time, because bundlers for browsers resolve every name that they can read.
  const name = ['node:fs', 'promises'].join('/');
  return import(/* webpackIgnore: true */ /* @vite-ignore */ name) as Promise<Files>;
}

function isSale(value: unknown): value is StoredSale {
  if (typeof value !== 'object' || value === null) return false;
  const sale: Readonly<Record<string, unknown>> = { ...value };
  const { id, fingerprint, soldAt, response } = sale;
  const isNamed = typeof id === 'string' && typeof fingerprint === 'string';
  return isNamed && typeof soldAt === 'number' && (response === undefined || isResponse(response));
}

function isResponse(value: unknown): value is StoredResponse {
  if (typeof value !== 'object' || value === null) return false;
  const { status, headers, body }: Readonly<Record<string, unknown>> = { ...value };
  return typeof status === 'number' && Array.isArray(headers) && typeof body === 'string';
}

/** Reads the lines of a file; the last one may be a part if the process ended while it was written. */
function salesIn(text: string): StoredSale[] {
  return text.split('\n').flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return isSale(value) ? [value] : [];
    } catch {
      return [];
    }
  });
}

/**
 * Keeps sales in a file, for Node, Bun and Deno, which only its owner can read. Use one file for each process.
 *
 * @example
 * ```ts
 * import { fileSales } from 'svc-x402-sdk';
 *
 * const store = fileSales('sales.jsonl');
 * console.log(await store.find('order_0000000000001')); // undefined
 * ```
 */
export function fileSales(path: string, options: SaleStoreOptions = {}): SaleStore {
  const sales = new KeptSales(options);
  let lines = 0;
  let loaded: Promise<void> | undefined;
  let writing: Promise<void> = Promise.resolve();

  async function load(): Promise<void> {
    const files = await openFiles();
    const text = await files.readFile(path, 'utf8').catch((error: unknown) => {
      if ((error as { code?: unknown }).code === 'ENOENT') return '';
      throw error;
    });
    for (const sale of salesIn(text)) sales.keep(sale);
    // Whatever the file has besides them goes with the next sale.
    lines = text === '' ? 0 : Number.POSITIVE_INFINITY;
  }
  function ready(): Promise<void> {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  }
  async function write(sale: StoredSale): Promise<void> {
    const files = await openFiles();
    if (lines - sales.all.length < MAX_STALE_LINES) {
      await files.appendFile(path, `${JSON.stringify(sale)}\n`, { mode: 0o600, flush: true });
      lines += 1;
      return;
    }
    const all = sales.all;
    const text = all.map((one) => `${JSON.stringify(one)}\n`).join('');
    await files.writeFile(`${path}.next`, text, { mode: 0o600, flush: true });
    await files.rename(`${path}.next`, path);
    lines = all.length;
  }
  return {
    async find(id) {
      await ready();
      return sales.find(id);
    },
    async keep(sale) {
      await ready();
      if (!sales.keep(sale)) return;
      const mine = writing.then(() => write(sale));
      writing = mine.catch(() => {});
      await mine;
    },
  };
}
