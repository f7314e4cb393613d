import type { Queryable } from '../../store/index.ts';

/** The space in use, by all recipients or by one. */
export interface Usage {
  readonly entries: number;
  readonly bytes: number;
}

/**
 * Locks the row of totals for the rest of the transaction, so that entries are added one at a time.
 * @returns the position of the next entry in the order of first listings
 */
export async function takeSequence(within: Queryable): Promise<number> {
  const [row] = await within.all<{ next_sequence: number }>(
    'UPDATE catalog_totals SET next_sequence = next_sequence + 1 WHERE id = 1 RETURNING next_sequence',
  );
  if (row === undefined) throw new Error("the catalog's row of totals is missing");
  return row.next_sequence - 1;
}

/** Adds to the space in use, or subtracts from it. */
export async function changeUsage(
  within: Queryable,
  payTo: string,
  { entries, bytes }: Usage,
): Promise<void> {
  if (entries === 0 && bytes === 0) return;
  await within.run(
    'UPDATE catalog_totals SET entries = entries + ?, bytes = bytes + ? WHERE id = 1',
    [entries, bytes],
  );
  await within.run(
    `INSERT INTO catalog_sellers (pay_to, entries, bytes) VALUES (?, ?, ?)
     ON CONFLICT (pay_to) DO UPDATE SET
       entries = catalog_sellers.entries + excluded.entries,
       bytes = catalog_sellers.bytes + excluded.bytes`,
    [payTo, entries, bytes],
  );
}

export async function usageOfAll(within: Queryable): Promise<Usage> {
  const [row] = await within.all<Usage>('SELECT entries, bytes FROM catalog_totals WHERE id = 1');
  return row ?? { entries: 0, bytes: 0 };
}

export async function usageOf(within: Queryable, payTo: string): Promise<Usage> {
  const [row] = await within.all<Usage>(
    'SELECT entries, bytes FROM catalog_sellers WHERE pay_to = ?',
    [payTo],
  );
  return row ?? { entries: 0, bytes: 0 };
}
