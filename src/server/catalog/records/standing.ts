import type { StellarAddress } from '../../../protocol/index.ts';
import type { Queryable } from '../../store/index.ts';
import type { Listing } from '../declaration/listing.ts';
import { ENTRY_COLUMNS, type EntryRow } from './entryRow.ts';
import { isForbidden } from './isForbidden.ts';
import { isForeignRoute } from './isForeignRoute.ts';
import { type BindingRefusal, judgeBinding } from './judgeBinding.ts';
import { shapeOf } from './routeShape.ts';

/** A recipient's relation to a key. */
export type Standing = 'free' | 'own' | 'forbidden' | BindingRefusal;

/** Returns the result that a settlement for a listing would have. Changes nothing. */
export async function standingOf(
  within: Queryable,
  listing: Listing,
  payTo: StellarAddress,
  now: number,
): Promise<Standing> {
  if (await isForbidden(within, listing, payTo)) return 'forbidden';
  const [row] = await within.all<EntryRow>(
    `SELECT ${ENTRY_COLUMNS} FROM catalog_entries e WHERE e.key = ?`,
    [listing.key],
  );
  const verdict = judgeBinding(row, payTo);
  if (verdict.kind === 'refused') return verdict.reason;
  if (verdict.kind === 'own') return 'own';
  return (await isForeignRoute(within, shapeOf(listing), payTo, now)) ? 'unbound_payto' : 'free';
}
