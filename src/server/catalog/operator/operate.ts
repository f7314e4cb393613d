import { parseResource } from '../../../protocol/index.ts';
import type { Database, Queryable } from '../../store/index.ts';
import { namesOf } from '../records/namesOf.ts';
import { removeEntry } from '../records/removeEntry.ts';
import { type ListedRow, unlist } from '../records/unlist.ts';
import { takeSequence } from '../records/usage.ts';
import { type OperatorAction, writeJournal } from './journal.ts';
import type { Target } from './target.ts';

/** An action requested by the operator. */
export interface Operation {
  readonly action: OperatorAction;
  readonly target: Target;
  /** The operator's own words, for the journal. */
  readonly reason: string;
}

export interface Operated {
  /** Keys of the entries removed from the list. */
  readonly gone: readonly string[];
  /** Whether a rule was made or lifted. */
  readonly changed: boolean;
}

type Row = ListedRow & { readonly listed: number };

const COLUMNS = 'key, pay_to, listed, bytes';

async function matching(within: Queryable, { kind, value }: Target): Promise<readonly Row[]> {
  if (kind === 'recipient') {
    return within.all<Row>(`SELECT ${COLUMNS} FROM catalog_entries WHERE pay_to = ?`, [value]);
  }
  const parsed = parseResource(value);
  const origin = parsed.ok ? parsed.resource.origin : value;
  const rows = await within.all<Row>(`SELECT ${COLUMNS} FROM catalog_entries WHERE origin = ?`, [
    origin,
  ]);
  return kind === 'origin' ? rows : rows.filter(({ key }) => namesOf(key).includes(value));
}

/**
 * Removes an entry from the list. The owner of a resource or an origin keeps the key and its counts; a
 * forbidden recipient keeps nothing, so that the rightful owners can claim the keys.
 */
async function takeOff(within: Queryable, { action, target }: Operation): Promise<string[]> {
  const rows = await matching(within, target);
  const frees = action === 'forbid' && target.kind === 'recipient';
  for (const row of rows) {
    if (frees) await removeEntry(within, row);
    else if (row.listed === 1) await unlist(within, row);
  }
  return rows.filter(({ listed }) => listed === 1).map(({ key }) => key);
}

async function changeRule(
  within: Queryable,
  { action, target, reason }: Operation,
  now: number,
): Promise<number> {
  const { kind, value } = target;
  if (action === 'delist') return 0;
  if (action === 'allow') {
    return within.run('DELETE FROM catalog_rules WHERE kind = ? AND value = ?', [kind, value]);
  }
  return within.run(
    `INSERT INTO catalog_rules (kind, value, reason, made_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (kind, value) DO UPDATE SET reason = excluded.reason, made_at = excluded.made_at`,
    [kind, value, reason, now],
  );
}

/**
 * Performs an operator's action and records it in the journal, in one transaction.
 * - `delist` removes entries from the list; the next payment for an entry lists it again;
 * - `forbid` does the same and keeps them out;
 * - `allow` removes a rule made by `forbid`; entries return with their next payment.
 *
 * @param now milliseconds since the epoch
 */
export function operate(database: Database, operation: Operation, now: number): Promise<Operated> {
  return database.transaction(async (within) => {
    // Locks the row of totals first, like all code that adds or removes entries.
    await takeSequence(within);
    const changed = (await changeRule(within, operation, now)) > 0;
    const gone = operation.action === 'allow' ? [] : await takeOff(within, operation);
    const { action, target, reason } = operation;
    await writeJournal(within, { action, ...target, reason, removed: gone.length }, now);
    return { gone, changed };
  });
}
