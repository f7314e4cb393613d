import type { StellarAddress } from '../../../protocol/index.ts';
import type { Database } from '../../store/index.ts';
import type { Listing } from '../declaration/listing.ts';
import { isForbidden } from './isForbidden.ts';
import { changeUsage, takeSequence } from './usage.ts';

/**
 * Gives an entry to the recipient that its owner agreed to, with its counts. Its prices are removed, since they name the
 * former recipient; the ownership check is due again.
 *
 * @param agreed recipients whose signatures agree to `payTo`
 * @returns whether the entry was given
 */
export function transfer(
  database: Database,
  listing: Pick<Listing, 'key' | 'origin'>,
  payTo: StellarAddress,
  agreed: ReadonlySet<string>,
): Promise<boolean> {
  const { key } = listing;
  return database.transaction(async (within) => {
    await takeSequence(within);
    const [row] = await within.all<{ pay_to: string; listed: number; bytes: number }>(
      'SELECT pay_to, listed, bytes FROM catalog_entries WHERE key = ?',
      [key],
    );
    if (row === undefined || row.pay_to === payTo || !agreed.has(row.pay_to)) return false;
    if (await isForbidden(within, listing, payTo)) return false;
    await within.run('DELETE FROM catalog_options WHERE key = ?', [key]);
    await within.run(
      `UPDATE catalog_entries SET pay_to = ?, owner_words = 0, owner_checked_at = NULL, local_check = NULL,
         protocols = '',
         owner_state = CASE templated WHEN 1 THEN owner_state ELSE 'unchecked' END
       WHERE key = ?`,
      [payTo, key],
    );
    if (row.listed === 1) {
      await changeUsage(within, row.pay_to, { entries: -1, bytes: -row.bytes });
      await changeUsage(within, payTo, { entries: 1, bytes: row.bytes });
    }
    return true;
  });
}
