import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Remembered, Sale, SaleBook } from '../seller/index.ts';
import { type Database, StoreError } from '../server/store/index.ts';
import type { Page } from './page.ts';

/** How much is kept. */
export interface SalesLimits {
  /** Of all responses together. */
  readonly maxBytes: number;
  /** How long a sale is remembered. */
  readonly keptMs: number;
}

export const SALES_LIMITS: SalesLimits = { maxBytes: 512 << 20, keptMs: 25 * 3_600_000 };

/** How long a claim counts after it was last renewed. */
const CLAIM_MS = 60_000;
/** How often claims are renewed, and old sales removed. */
const TICK_MS = 20_000;

interface Row {
  readonly request: string;
  readonly state: 'new' | 'held' | 'paid' | 'gone';
  readonly claimed_by: string | null;
  readonly claimed_until: number;
  readonly head: string | null;
  readonly body: Uint8Array | null;
  readonly file: string | null;
  readonly bytes: number;
  readonly receipt: string | null;
}

/** The sales of one or several proxies, in the store. */
export interface SalesStore extends SaleBook<Page> {
  /** Sales that are paid and not delivered. */
  owed(): Promise<number>;
  close(): Promise<void>;
}

interface SalesOptions {
  /** Identifies this process among those that share the store. */
  readonly instance: string;
  /** Folder of the long bodies. */
  readonly folder: string;
  readonly now: () => number;
  readonly limits?: SalesLimits;
  readonly onError: (error: unknown) => void;
}

/**
 * Opens the sales. In an embedded store, which one process has, the claims of earlier processes end; in a shared one, they end when
 * they are no longer renewed.
 */
export async function openSales(database: Database, options: SalesOptions): Promise<SalesStore> {
  const { instance, folder, now, onError, limits = SALES_LIMITS } = options;
  const mine = new Set<string>();
  if (database.dialect === 'sqlite') {
    await database.run('UPDATE proxy_sales SET claimed_by = NULL, claimed_until = 0');
    await database.run("DELETE FROM proxy_sales WHERE state = 'new'");
  }

  async function changed(
    sale: Sale,
    set: string,
    values: readonly (string | number | Uint8Array | null)[],
  ): Promise<void> {
    const count = await database.run(
      `UPDATE proxy_sales SET ${set} WHERE key = ? AND request = ? AND claimed_by = ?`,
      [...values, sale.key, sale.request, instance],
    );
    if (count === 0) throw new StoreError('failed', 'the claim on a sale was lost');
  }
  async function removeFiles(rows: readonly { readonly file: string | null }[]): Promise<void> {
    for (const { file } of rows) if (file !== null) await rm(join(folder, file), { force: true });
  }

  async function tick(): Promise<void> {
    for (const key of mine) {
      await database.run(
        'UPDATE proxy_sales SET claimed_until = ? WHERE key = ? AND claimed_by = ?',
        [now() + CLAIM_MS, key, instance],
      );
    }
    const old = await database.all<{ file: string | null }>(
      'DELETE FROM proxy_sales WHERE created_at < ? AND claimed_until < ? RETURNING file',
      [now() - limits.keptMs, now()],
    );
    await removeFiles(old);
    await dropLongest();
  }

  /** Drops the oldest responses once they need too much room; that they were sold stays. */
  async function dropLongest(): Promise<void> {
    for (;;) {
      const [sum] = await database.all<{ total: number | null }>(
        'SELECT SUM(bytes) AS total FROM proxy_sales',
      );
      if (Number(sum?.total ?? 0) <= limits.maxBytes) return;
      const dropped = await database.all<{ file: string | null }>(
        `UPDATE proxy_sales SET state = 'gone', body = NULL, head = NULL, bytes = 0
         WHERE key IN (SELECT key FROM proxy_sales WHERE state = 'paid' AND bytes > 0 ORDER BY created_at LIMIT 16)
         RETURNING file`,
      );
      if (dropped.length === 0) return;
      await removeFiles(dropped);
    }
  }

  const timer = setInterval(() => void tick().catch(onError), TICK_MS);
  timer.unref();

  return {
    async recall({ key, request }) {
      const [row] = await database.all<Row>('SELECT * FROM proxy_sales WHERE key = ?', [key]);
      if (row === undefined) return { state: 'none' };
      if (row.request !== request) return { state: 'other' };
      if (row.claimed_until > now()) return { state: 'serving' };
      return remembered(row, folder);
    },
    async claim({ key, request }) {
      const until = now() + CLAIM_MS;
      const made = await database.run(
        `INSERT INTO proxy_sales (key, request, state, claimed_by, claimed_until, bytes, created_at)
         VALUES (?, ?, 'new', ?, ?, 0, ?) ON CONFLICT (key) DO NOTHING`,
        [key, request, instance, until, now()],
      );
      const taken =
        made > 0 ||
        (await database.run(
          'UPDATE proxy_sales SET claimed_by = ?, claimed_until = ? WHERE key = ? AND request = ? AND claimed_until <= ?',
          [instance, until, key, request, now()],
        )) > 0;
      if (taken) mine.add(key);
      return taken;
    },
    async hold(sale, kept) {
      if (kept === undefined) return changed(sale, "state = 'held'", []);
      const { status, rawHeaders, body } = kept;
      const file = body?.file === undefined ? null : basename(body.file);
      await changed(sale, "state = 'held', head = ?, body = ?, file = ?, bytes = ?", [
        JSON.stringify({ status, rawHeaders }),
        body?.bytes ?? null,
        file,
        body?.length ?? 0,
      ]);
    },
    async settle(sale, receipt) {
      await changed(
        sale,
        "state = 'paid', receipt = ?, claimed_until = CASE WHEN head IS NULL THEN claimed_until ELSE 0 END",
        [JSON.stringify(receipt)],
      );
      const [row] = await database.all<Row>('SELECT head FROM proxy_sales WHERE key = ?', [
        sale.key,
      ]);
      if (row?.head !== null) mine.delete(sale.key);
    },
    async deliver(sale) {
      mine.delete(sale.key);
      await changed(sale, "state = 'gone', claimed_until = 0", []);
    },
    async leave(sale) {
      mine.delete(sale.key);
      await changed(sale, 'claimed_until = 0', []);
    },
    async release({ key, request }) {
      mine.delete(key);
      const rows = await database.all<{ file: string | null }>(
        'DELETE FROM proxy_sales WHERE key = ? AND request = ? AND claimed_by = ? RETURNING file',
        [key, request, instance],
      );
      await removeFiles(rows);
    },
    async owed() {
      const [row] = await database.all<{ count: number }>(
        "SELECT COUNT(*) AS count FROM proxy_sales WHERE state = 'paid' AND head IS NULL AND claimed_until <= ?",
        [now()],
      );
      return Number(row?.count ?? 0);
    },
    async close() {
      clearInterval(timer);
      await database.close();
    },
  };
}

function remembered(row: Row, folder: string): Remembered<Page> {
  const receipt: unknown = row.receipt === null ? undefined : JSON.parse(row.receipt);
  const kept = keptIn(row, folder);
  switch (row.state) {
    case 'new':
      return { state: 'none' };
    case 'held':
      return kept === undefined ? { state: 'asked' } : { state: 'held', kept };
    case 'paid':
      return kept === undefined ? { state: 'owed', receipt } : { state: 'paid', kept, receipt };
    case 'gone':
      return { state: 'gone', receipt };
  }
}

function keptIn({ head, body, file, bytes: length }: Row, folder: string): Page | undefined {
  if (head === null) return undefined;
  // Written by `hold`.
  const { status, rawHeaders } = JSON.parse(head) as Pick<Page, 'status' | 'rawHeaders'>;
  return {
    ...{ good: true, whole: true, status, rawHeaders },
    rest: undefined,
    body: {
      length,
      bytes: file === null ? Buffer.from(body ?? []) : undefined,
      file: file === null ? undefined : join(folder, file),
    },
  };
}
