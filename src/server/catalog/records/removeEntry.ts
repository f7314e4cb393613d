import type { Queryable } from '../../store/index.ts';
import { forgetCalls } from './calls.ts';
import type { ListedRow } from './unlist.ts';
import { changeUsage } from './usage.ts';

/** Removes an entry or a tombstone and frees its key. Outcomes of settlements are kept. */
export async function removeEntry(
  within: Queryable,
  { key, pay_to, listed, bytes }: ListedRow & { readonly listed: number },
): Promise<void> {
  await within.run('DELETE FROM catalog_options WHERE key = ?', [key]);
  await within.run('DELETE FROM catalog_payers WHERE key = ?', [key]);
  await forgetCalls(within, key);
  await within.run('DELETE FROM catalog_entries WHERE key = ?', [key]);
  if (listed === 1) await changeUsage(within, pay_to, { entries: -1, bytes: -bytes });
}
