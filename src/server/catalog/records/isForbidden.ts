import type { StellarAddress } from '../../../protocol/index.ts';
import type { Queryable } from '../../store/index.ts';
import type { Listing } from '../declaration/listing.ts';
import { namesOf } from './namesOf.ts';

/** Returns whether an operator's rule keeps out this recipient's listing. */
export async function isForbidden(
  within: Queryable,
  { key, origin }: Pick<Listing, 'key' | 'origin'>,
  payTo: StellarAddress,
): Promise<boolean> {
  const names = namesOf(key);
  const rows = await within.all(
    `SELECT kind FROM catalog_rules
     WHERE (kind = 'recipient' AND value = ?) OR (kind = 'origin' AND value = ?)
       OR (kind = 'resource' AND value IN (${names.map(() => '?').join(', ')})) LIMIT 1`,
    [payTo, origin, ...names],
  );
  return rows.length > 0;
}
