import type { Queryable } from '../../store/index.ts';
import { changeUsage } from './usage.ts';

/** A listed entry, before its removal from the list. */
export interface ListedRow {
  readonly key: string;
  readonly pay_to: string;
  readonly bytes: number;
}

/** Removes an entry from the list; it keeps its bound key and its counts. */
export async function unlist(within: Queryable, { key, pay_to, bytes }: ListedRow): Promise<void> {
  await within.run(
    "UPDATE catalog_entries SET listed = 0, document = '', bytes = 0 WHERE key = ?",
    [key],
  );
  await within.run('DELETE FROM catalog_options WHERE key = ?', [key]);
  await changeUsage(within, pay_to, { entries: -1, bytes: -bytes });
}
