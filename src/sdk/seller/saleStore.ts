/** A sale as a seller keeps it: plain JSON, for a store of any kind. */
export interface StoredSale {
  /** The buyer's payment identifier. */
  readonly id: string;
  /** Digest of the payload, method and path that the sale was for. */
  readonly fingerprint: string;
  /** The response that was sold. */
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Base64. */
  readonly body: string;
  /** Milliseconds since the epoch. */
  readonly soldAt: number;
}

/**
 * Where a seller keeps its sales. An app with several processes gives them one store, such as a table whose key is the
 * identifier.
 */
export interface SaleStore {
  /** Returns the sale with this identifier, unless it has expired. */
  find(id: string): Promise<StoredSale | undefined>;
  /** Keeps a sale. If its identifier has one already, that one stays. */
  keep(sale: StoredSale): Promise<void>;
}

/** How much a store keeps. What is oldest goes first. */
export interface SaleStoreOptions {
  /** Default: 1,000. */
  readonly maxSales?: number;
  /** Of all headers and bodies together, as they are kept. Default: 32 MiB. */
  readonly maxBytes?: number;
  /** How long a sale is kept, in milliseconds. Default: one day. */
  readonly keptMs?: number;
  readonly now?: () => number;
}

const MAX_SALES = 1_000;
const MAX_BYTES = 32 << 20;
const KEPT_MS = 24 * 3_600_000;
/** Lines of a file that are no longer needed, before it is written again. */
const MAX_STALE_LINES = 100;

function sizeOf({ id, fingerprint, headers, body }: StoredSale): number {
  const named = headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  return id.length + fingerprint.length + named + body.length;
}

/** The sales of one process, in the order in which they were made. */
class KeptSales {
  readonly #sales = new Map<string, StoredSale>();
  readonly #maxSales: number;
  readonly #maxBytes: number;
  readonly #keptMs: number;
  readonly #now: () => number;
  #bytes = 0;

  constructor(options: SaleStoreOptions) {
    this.#maxSales = options.maxSales ?? MAX_SALES;
    this.#maxBytes = options.maxBytes ?? MAX_BYTES;
    this.#keptMs = options.keptMs ?? KEPT_MS;
    this.#now = options.now ?? Date.now;
  }

  get all(): readonly StoredSale[] {
    return [...this.#sales.values()];
  }

  find(id: string): StoredSale | undefined {
    this.#trim();
    return this.#sales.get(id);
  }

  /** @returns whether the store keeps it now */
  keep(sale: StoredSale): boolean {
    this.#trim();
    if (this.#sales.has(sale.id)) return false;
    this.#sales.set(sale.id, sale);
    this.#bytes += sizeOf(sale);
    this.#trim();
    return this.#sales.has(sale.id);
  }

  #trim(): void {
    const oldest = this.#now() - this.#keptMs;
    for (const [id, sale] of this.#sales) {
      const isFull = this.#sales.size > this.#maxSales || this.#bytes > this.#maxBytes;
      if (!isFull && sale.soldAt >= oldest) return;
      this.#sales.delete(id);
      this.#bytes -= sizeOf(sale);
    }
  }
}

/** Keeps sales in memory. After a restart, a repeated request is verified like a new one. */
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
  const texts = [sale['id'], sale['fingerprint'], sale['body']];
  const numbers = [sale['status'], sale['soldAt']];
  return (
    texts.every((text) => typeof text === 'string') &&
    numbers.every((number) => typeof number === 'number') &&
    Array.isArray(sale['headers'])
  );
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
