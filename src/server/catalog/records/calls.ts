import type { Queryable } from '../../store/index.ts';
import { payerWeight } from '../evidence.ts';
import type { Quality } from '../trust.ts';

const DAY_MS = 86_400_000;
/** Number of days that are counted, including today. */
const DAYS = 30;

const dayOf = (time: number): number => Math.floor(time / DAY_MS);

/**
 * Counts a settlement of an entry on its day. A payer counts only on the day of its last settlement, so it is removed from its
 * earlier day.
 * @param now milliseconds since the epoch
 */
export async function countCall(
  within: Queryable,
  key: string,
  payer: string,
  now: number,
): Promise<void> {
  const day = dayOf(now);
  const [known] = await within.all<{ day: number | null }>(
    'SELECT day FROM catalog_payers WHERE key = ? AND payer = ?',
    [key, payer],
  );
  const before = known?.day ?? null;
  const moves = before === null || before < day;
  if (moves) {
    await within.run('UPDATE catalog_calls SET payers = payers - 1 WHERE key = ? AND day = ?', [
      key,
      before ?? -1,
    ]);
    await within.run('UPDATE catalog_payers SET day = ? WHERE key = ? AND payer = ?', [
      day,
      key,
      payer,
    ]);
  }
  await within.run(
    `INSERT INTO catalog_calls (key, day, calls, payers, called_at) VALUES (?, ?, 1, ?, ?)
     ON CONFLICT (key, day) DO UPDATE SET calls = catalog_calls.calls + 1,
       payers = catalog_calls.payers + excluded.payers, called_at = excluded.called_at`,
    [key, day, moves ? 1 : 0, now],
  );
  await within.run('DELETE FROM catalog_calls WHERE key = ? AND day <= ?', [key, day - DAYS]);
}

export async function forgetCalls(within: Queryable, key: string): Promise<void> {
  await within.run('DELETE FROM catalog_calls WHERE key = ?', [key]);
}

interface PayerRow {
  readonly day: number | null;
  readonly paid: number;
  readonly first_at: number | null;
  readonly last_at: number | null;
}

/** A payer's total stays below what a number holds exactly. */
const MAX_PAID = 2 ** 50;

/**
 * Adds a payment to what is known of its payer, and the difference to the entry's evidence.
 * @param usdc atomic units; 0 for another asset
 */
export async function weighPayer(
  within: Queryable,
  key: string,
  payer: string,
  usdc: bigint,
  now: number,
): Promise<void> {
  const [known] = await within.all<PayerRow>(
    'SELECT day, paid, first_at, last_at FROM catalog_payers WHERE key = ? AND payer = ?',
    [key, payer],
  );
  if (known === undefined) return;
  // A payer whose first payment is not dated has been counted before.
  const isCounted = known.last_at !== null || known.day !== null;
  const before = isCounted
    ? payerWeight({ paid: known.paid, firstAt: known.first_at, lastAt: known.last_at })
    : 0;
  const paid = Math.min(MAX_PAID, known.paid + Number(usdc));
  const firstAt = known.first_at ?? now;
  const more = payerWeight({ paid, firstAt, lastAt: now }) - before;
  await within.run(
    'UPDATE catalog_payers SET paid = ?, first_at = ?, last_at = ? WHERE key = ? AND payer = ?',
    [paid, firstAt, now, key, payer],
  );
  await within.run('UPDATE catalog_entries SET evidence = evidence + ? WHERE key = ?', [more, key]);
}

/** The columns of an entry from which its quality is computed. */
interface Counted {
  readonly key: string;
  readonly calls_since: number;
  readonly settlements: number;
  readonly settled_at: number;
}

/**
 * Returns the known statistics of the entries' calls, by key.
 * @param now milliseconds since the epoch
 */
export async function qualityOf(
  within: Queryable,
  entries: readonly Counted[],
  now: number,
): Promise<ReadonlyMap<string, Quality>> {
  if (entries.length === 0) return new Map();
  const first = dayOf(now) - DAYS + 1;
  const rows = await within.all<{ key: string; calls: number; payers: number; called_at: number }>(
    `SELECT key, CAST(SUM(CASE WHEN day >= ? THEN calls ELSE 0 END) AS BIGINT) AS calls,
       CAST(SUM(CASE WHEN day >= ? THEN payers ELSE 0 END) AS BIGINT) AS payers,
       MAX(called_at) AS called_at
     FROM catalog_calls WHERE key IN (${entries.map(() => '?').join(', ')}) GROUP BY key`,
    [first, first, ...entries.map(({ key }) => key)],
  );
  const counted = new Map(rows.map((row) => [row.key, row]));
  return new Map(
    entries.map(({ key, calls_since, settlements, settled_at }) => {
      const row = counted.get(key);
      // Of an entry from before calls were counted by day, only the last settlement is known.
      const calledAt = row?.called_at ?? (calls_since > 0 && settlements > 0 ? settled_at : null);
      return [
        key,
        {
          ...(calls_since <= first * DAY_MS
            ? { l30DaysTotalCalls: row?.calls ?? 0, l30DaysUniquePayers: row?.payers ?? 0 }
            : {}),
          ...(calledAt === null ? {} : { lastCalledAt: new Date(calledAt).toISOString() }),
        },
      ] as const;
    }),
  );
}
