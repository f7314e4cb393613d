import type { PaymentProtocol } from '../../../protocol/index.ts';
import type { Queryable } from '../../store/index.ts';
import type { DamagedRows } from './damagedRows.ts';
import { ENTRY_COLUMNS, type EntryRow } from './entryRow.ts';
import { readListing } from './listingDocument.ts';

/** An ownership check that is due: its URL, and the recipient it is bound to. */
export interface DueCheck {
  readonly key: string;
  readonly url: string;
  readonly origin: string;
  readonly payTo: string;
}

/** Returns the check of an entry; undefined if its row is damaged. */
function toDue({ key, document, pay_to }: EntryRow, damaged: DamagedRows): DueCheck | undefined {
  const listing = damaged.reading(key, () => readListing(document, key));
  if (listing === undefined) return undefined;
  return { key, url: listing.resource, origin: listing.origin, payTo: pay_to };
}

/**
 * Claims the check of an entry, unless any instance checked it within the cooldown, or it is a
 * template. An entry that was never checked is pending from here on.
 */
export async function claimCheck(
  database: Queryable,
  key: string,
  now: number,
  cooldownMs: number,
  damaged: DamagedRows,
): Promise<DueCheck | undefined> {
  const [row] = await database.all<EntryRow>(
    `UPDATE catalog_entries AS e SET owner_checked_at = ?,
       owner_state = CASE owner_state WHEN 'unchecked' THEN 'pending' ELSE owner_state END
     WHERE key = ? AND listed = 1 AND templated = 0
       AND (owner_checked_at IS NULL OR owner_checked_at <= ?)
     RETURNING ${ENTRY_COLUMNS.replaceAll('e.', '')}`,
    [now, key, now - cooldownMs],
  );
  return row === undefined ? undefined : toDue(row, damaged);
}

/**
 * Returns the checks to repeat after a restart: those that were running, and those of verified entries
 * that are older than the cooldown, the most recently paid first.
 */
export async function checksAfterRestart(
  database: Queryable,
  now: number,
  cooldownMs: number,
  limit: number,
  damaged: DamagedRows,
): Promise<DueCheck[]> {
  const rows = await database.all<EntryRow>(
    `SELECT ${ENTRY_COLUMNS} FROM catalog_entries e
     WHERE e.listed = 1 AND (e.owner_state = 'pending'
       OR (e.owner_state = 'verified' AND e.owner_checked_at <= ?))
     ORDER BY e.settled_at DESC LIMIT ?`,
    [now - cooldownMs, limit],
  );
  return rows.flatMap((row) => toDue(row, damaged) ?? []);
}

/** Whether an entry's owner was verified within the cooldown: then challengers are ignored. */
export async function restsStill(
  database: Queryable,
  key: string,
  now: number,
  cooldownMs: number,
): Promise<boolean> {
  const [row] = await database.all(
    `SELECT 1 AS found FROM catalog_entries
     WHERE key = ? AND listed = 1 AND owner_state = 'verified' AND owner_checked_at > ?`,
    [key, now - cooldownMs],
  );
  return row !== undefined;
}

/** Records a check's result, if the entry still exists and still belongs to this recipient. */
export async function writeVerdict(
  database: Queryable,
  { key, payTo }: DueCheck,
  verdict: { readonly verified: true } | { readonly verified: false; readonly failure: string },
  now: number,
): Promise<void> {
  await database.run(
    `UPDATE catalog_entries SET owner_state = ?, owner_failure = ?, owner_checked_at = ?
     WHERE key = ? AND pay_to = ? AND listed = 1`,
    [
      verdict.verified ? 'verified' : 'unverifiable',
      verdict.verified ? null : verdict.failure,
      now,
      key,
      payTo,
    ],
  );
}

/** Records the result of checking a seller on this machine. */
export async function writeLocalCheck(
  database: Queryable,
  { key, payTo }: DueCheck,
  passed: boolean,
): Promise<void> {
  await database.run(
    'UPDATE catalog_entries SET local_check = ? WHERE key = ? AND pay_to = ? AND listed = 1',
    [passed, key, payTo],
  );
}

/** Records the protocols in which a check saw the entry's URL ask for payment to its recipient. */
export async function writeProtocols(
  database: Queryable,
  { key, payTo }: DueCheck,
  protocols: readonly PaymentProtocol[],
): Promise<void> {
  await database.run(
    'UPDATE catalog_entries SET protocols = ? WHERE key = ? AND pay_to = ? AND listed = 1',
    [protocols.map((name) => `|${name}|`).join(''), key, payTo],
  );
}

/** Counts the listed entries that are unverifiable. */
export async function countUnverifiable(database: Queryable): Promise<number> {
  const [row] = await database.all<{ count: number }>(
    "SELECT COUNT(*) AS count FROM catalog_entries WHERE listed = 1 AND owner_state = 'unverifiable'",
  );
  return row?.count ?? 0;
}
