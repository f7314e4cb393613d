import type { StellarAddress } from '../../../protocol/index.ts';
import type { Queryable } from '../../store/index.ts';
import type { CatalogBounds } from '../bounds.ts';
import { forgetCalls } from './calls.ts';
import { type ListedRow, unlist } from './unlist.ts';
import { usageOf, usageOfAll } from './usage.ts';

/** Deletes the oldest tombstones of a recipient, never another's. */
async function boundTombstones(
  within: Queryable,
  payTo: StellarAddress,
  most: number,
): Promise<void> {
  const forgotten = await within.all<{ key: string }>(
    `SELECT key FROM catalog_entries WHERE pay_to = ? AND listed = 0
     ORDER BY sequence DESC LIMIT 100 OFFSET ?`,
    [payTo, most],
  );
  for (const { key } of forgotten) {
    await within.run('DELETE FROM catalog_payers WHERE key = ?', [key]);
    await forgetCalls(within, key);
    await within.run('DELETE FROM catalog_entries WHERE key = ?', [key]);
  }
}

/** Returns the recipient's least trusted entry: not verified, with the fewest and oldest payments. */
async function leastOf(within: Queryable, payTo: string): Promise<ListedRow | undefined> {
  const [row] = await within.all<ListedRow>(
    `SELECT key, pay_to, bytes FROM catalog_entries WHERE pay_to = ? AND listed = 1
     ORDER BY CASE owner_state WHEN 'verified' THEN 1 ELSE 0 END, settlements, settled_at LIMIT 1`,
    [payTo],
  );
  return row;
}

async function stalest(within: Queryable, before: number): Promise<ListedRow | undefined> {
  const [row] = await within.all<ListedRow>(
    `SELECT key, pay_to, bytes FROM catalog_entries
     WHERE listed = 1 AND owner_state <> 'verified' AND settled_at < ?
     ORDER BY settled_at LIMIT 1`,
    [before],
  );
  return row;
}

/**
 * Makes room for an entry of a recipient. Above the recipient's own limit, its own least trusted entries
 * are removed, never another's. If the whole catalog is full, an unverified entry that nobody has paid for
 * in a long time is removed; if there is none, nothing is removed, and the new entry waits. So nobody can
 * push out another recipient's entry by listing many of their own.
 * @param now milliseconds since the epoch
 * @returns the keys of the removed entries, or `undefined` if there is no room
 */
export async function makeRoom(
  within: Queryable,
  payTo: StellarAddress,
  bytes: number,
  bounds: CatalogBounds,
  now: number,
): Promise<readonly string[] | undefined> {
  const gone: string[] = [];
  for (;;) {
    const own = await usageOf(within, payTo);
    const isOver =
      own.entries + 1 > bounds.entriesPerSeller || own.bytes + bytes > bounds.bytesPerSeller;
    if (!isOver) break;
    const victim = await leastOf(within, payTo);
    if (victim === undefined) return undefined;
    await unlist(within, victim);
    gone.push(victim.key);
  }
  if (gone.length > 0) await boundTombstones(within, payTo, bounds.tombstonesPerSeller);
  for (;;) {
    const all = await usageOfAll(within);
    if (all.entries + 1 <= bounds.entries && all.bytes + bytes <= bounds.bytes) return gone;
    const victim = await stalest(within, now - bounds.staleMs);
    if (victim === undefined) return undefined;
    await unlist(within, victim);
    gone.push(victim.key);
  }
}
