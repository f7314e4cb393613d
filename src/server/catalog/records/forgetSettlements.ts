import type { Database } from '../../store/index.ts';

/**
 * How long the outcome of a settlement is remembered: four times as long as in the journal, the only
 * source that could report a settlement again.
 */
const KEPT_MS = 30 * 24 * 3_600_000;
/** Small, so that a concurrent settlement waits for milliseconds at most. */
const AT_ONCE = 1_000;

/**
 * Deletes the outcomes of settlements that cannot be reported again; counts and payers of entries stay.
 * @param now milliseconds since the epoch
 * @returns whether there might be more to delete
 */
export async function forgetSettlements(database: Database, now: number): Promise<boolean> {
  const forgotten = await database.run(
    `DELETE FROM catalog_settlements WHERE hash IN (
       SELECT hash FROM catalog_settlements WHERE settled_at < ? ORDER BY settled_at LIMIT ?
     )`,
    [now - KEPT_MS, AT_ONCE],
  );
  return forgotten === AT_ONCE;
}
