import type { Queryable } from './store/index.ts';

/** Tables whose rows are about one network: who paid whom there, and which contracts are deployed on it. */
const OF_A_NETWORK = [
  'catalog_entries',
  'catalog_options',
  'catalog_payers',
  'catalog_settlements',
  'catalog_sellers',
  'catalog_origins',
  'catalog_calls',
  'policies',
  'policy_upkeep',
] as const;

/** Tables that are derived from those. */
const DERIVED = ['search_documents', 'search_postings', 'search_filters'] as const;

/** Rows that one statement copies. */
const AT_ONCE = 100;

/** Writes a row as JSON. Bytes become base64, and integers that are not safe become text. */
function asJson(row: object): string {
  return JSON.stringify(row, (_, value: unknown) => {
    if (typeof value === 'bigint') return value.toString();
    return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
  });
}

/**
 * Moves the catalog and the policies of a network that no longer exists out of the way, so that nothing is listed, ranked or
 * relied on by what happened there. The rows stay in the store. Rejects with StoreError.
 */
export async function setApart(within: Queryable, network: number): Promise<void> {
  for (const table of OF_A_NETWORK) {
    const rows = await within.all(`SELECT * FROM ${table}`);
    for (let from = 0; from < rows.length; from += AT_ONCE) {
      const some = rows.slice(from, from + AT_ONCE);
      await within.run(
        `INSERT INTO old_network_rows (network, origin, row) VALUES ${some.map(() => '(?, ?, ?)').join(', ')}`,
        some.flatMap((row) => [network, table, asJson(row)]),
      );
    }
    await within.run(`DELETE FROM ${table}`);
  }
  for (const table of DERIVED) await within.run(`DELETE FROM ${table}`);
  await within.run('UPDATE catalog_totals SET entries = 0, bytes = 0 WHERE id = 1');
  // Sequence numbers of the old network's accounts.
  await within.run('UPDATE channels SET sequence = NULL, as_of_ledger = 0');
}
