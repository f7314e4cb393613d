import type { StellarAddress } from '../../../protocol/index.ts';
import type { Database, Queryable } from '../../store/index.ts';
import { confirmOrigin, FRESH_MS, verifiedSince } from './origins.ts';
import { removeEntry } from './removeEntry.ts';
import type { ListedRow } from './unlist.ts';
import { takeSequence } from './usage.ts';

/**
 * How long an origin must have been verified without interruption before its challenge alone moves a
 * verified entry to another recipient. Hijacking an origin for an hour does not move an entry.
 */
export const MOVES_AFTER_MS = 7 * 86_400_000;

const MAX_DISPLACED = 1_000;

/** What an origin's own challenge proves. */
export interface Proof {
  readonly origin: string;
  /** The key that was checked. */
  readonly key: string;
  /** The recipient that the challenge names. */
  readonly payTo: StellarAddress;
  /** All recipients that it names. */
  readonly recipients: ReadonlySet<string>;
  /** Whether the seller is on this machine: then a verified entry moves immediately. */
  readonly local: boolean;
}

type Row = ListedRow & { readonly listed: number };

/** Returns others' entries at the origin that none of its challenges has confirmed in the last 30 days. */
function unproved(
  within: Queryable,
  { origin, payTo }: Proof,
  now: number,
): Promise<readonly Row[]> {
  return within.all<Row>(
    `SELECT e.key, e.pay_to, e.listed, e.bytes FROM catalog_entries e
     WHERE e.origin = ? AND e.pay_to <> ? AND e.owner_state <> 'verified'
       AND NOT EXISTS (SELECT 1 FROM catalog_origins o
         WHERE o.origin = e.origin AND o.pay_to = e.pay_to AND o.verified_at > ?)
     ORDER BY e.sequence LIMIT ?`,
    [origin, payTo, now - FRESH_MS, MAX_DISPLACED],
  );
}

/** Returns the entry under the key itself, if the seller has moved to another recipient. */
async function moved(within: Queryable, proof: Proof, now: number): Promise<readonly Row[]> {
  const { origin, key, payTo, recipients, local } = proof;
  const [row] = await within.all<Row>(
    'SELECT key, pay_to, listed, bytes FROM catalog_entries WHERE key = ? AND pay_to <> ?',
    [key, payTo],
  );
  if (row === undefined || recipients.has(row.pay_to)) return [];
  const since = await verifiedSince(within, origin, row.pay_to);
  if (since === undefined) return [];
  return local || since <= now - MOVES_AFTER_MS ? [row] : [];
}

/**
 * Records that an origin's challenge names a recipient, and removes the entries that it contradicts:
 * unverified entries of others at the origin, and the entry under the key if the challenge no longer names
 * its owner and the origin has been verified for seven days. Outcomes of settlements are kept.
 *
 * @param now milliseconds since the epoch
 * @returns the keys whose entries were removed
 */
export function displace(database: Database, proof: Proof, now: number): Promise<string[]> {
  return database.transaction(async (within) => {
    // Locks the row of totals first, like all code that adds or removes entries.
    await takeSequence(within);
    const gone = [...(await unproved(within, proof, now)), ...(await moved(within, proof, now))];
    for (const row of gone) await removeEntry(within, row);
    await confirmOrigin(within, proof.origin, proof.payTo, now);
    return gone.map(({ key }) => key);
  });
}
