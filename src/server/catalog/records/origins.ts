import type { Queryable } from '../../store/index.ts';

/** A verification that was not renewed for this long no longer excludes others. */
export const FRESH_MS = 30 * 86_400_000;

/** The owners of an origin according to its own challenges: the caller, or others. */
export interface OriginOwners {
  readonly own: boolean;
  readonly others: readonly string[];
}

/** Reads which recipients an origin named in its challenges of the last 30 days. */
export async function ownersOf(
  within: Queryable,
  origin: string,
  payTo: string,
  now: number,
): Promise<OriginOwners> {
  const rows = await within.all<{ pay_to: string }>(
    'SELECT pay_to FROM catalog_origins WHERE origin = ? AND verified_at > ? LIMIT 1000',
    [origin, now - FRESH_MS],
  );
  const owners = rows.map((row) => row.pay_to);
  return { own: owners.includes(payTo), others: owners.filter((owner) => owner !== payTo) };
}

/** Returns since when an origin has named this recipient without interruption, or `undefined`. */
export async function verifiedSince(
  within: Queryable,
  origin: string,
  payTo: string,
): Promise<number | undefined> {
  const [row] = await within.all<{ verified_since: number }>(
    'SELECT verified_since FROM catalog_origins WHERE origin = ? AND pay_to = ?',
    [origin, payTo],
  );
  return row?.verified_since;
}

/** Records that the origin named this recipient. After a gap of 30 days, its time starts again. */
export async function confirmOrigin(
  within: Queryable,
  origin: string,
  payTo: string,
  now: number,
): Promise<void> {
  await within.run(
    `INSERT INTO catalog_origins (origin, pay_to, verified_since, verified_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (origin, pay_to) DO UPDATE SET
       verified_since = CASE WHEN catalog_origins.verified_at > ?
         THEN catalog_origins.verified_since ELSE excluded.verified_since END,
       verified_at = excluded.verified_at`,
    [origin, payTo, now, now, now - FRESH_MS],
  );
}
