import type { Queryable } from '../../store/index.ts';
import type { Target } from './target.ts';

export const OPERATOR_ACTIONS = ['delist', 'forbid', 'allow'] as const;
export type OperatorAction = (typeof OPERATOR_ACTIONS)[number];

/** One action of the operator. The journal is never shortened. */
export interface JournalEntry extends Target {
  readonly action: OperatorAction;
  readonly reason: string;
  /** Number of entries removed from the list. */
  readonly removed: number;
  /** ISO 8601. */
  readonly madeAt: string;
}

/** Records an action. The caller holds the row of totals, so ids are consecutive. */
export async function writeJournal(
  within: Queryable,
  { action, kind, value, reason, removed }: Omit<JournalEntry, 'madeAt'>,
  now: number,
): Promise<void> {
  await within.run(
    `INSERT INTO catalog_journal (id, made_at, action, kind, value, reason, removed)
     SELECT COALESCE(MAX(id), 0) + 1, ?, ?, ?, ?, ?, ? FROM catalog_journal`,
    [now, action, kind, value, reason, removed],
  );
}

/** Returns the most recent entries of the journal, latest first. */
export async function readJournal(
  within: Queryable,
  limit: number,
): Promise<readonly JournalEntry[]> {
  const rows = await within.all<Omit<JournalEntry, 'madeAt'> & { made_at: number }>(
    `SELECT made_at, action, kind, value, reason, removed FROM catalog_journal
     ORDER BY id DESC LIMIT ?`,
    [limit],
  );
  return rows.map(({ made_at, ...entry }) => ({
    ...entry,
    madeAt: new Date(made_at).toISOString(),
  }));
}
