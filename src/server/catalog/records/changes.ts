import type { Database, Queryable } from '../../store/index.ts';

/** An entry that was added, changed or removed after an index of all entries was stored. */
export interface Change {
  /** Its position in the order of changes. */
  readonly revision: number;
  readonly key: string;
}

/** Returns the next changes after a revision, in order, and only the last one of each entry. */
export function readChanges(
  database: Queryable,
  after: number,
  limit: number,
): Promise<readonly Change[]> {
  return database.all<Change>(
    'SELECT revision, key FROM catalog_changes WHERE revision > ? ORDER BY revision LIMIT ?',
    [after, limit],
  );
}

/** Returns the last change that the index with this mark includes; undefined for an unknown mark. */
export async function revisionOf(database: Queryable, mark: string): Promise<number | undefined> {
  const [row] = await database.all<{ revision: number }>(
    'SELECT revision FROM catalog_kept WHERE mark = ?',
    [mark],
  );
  return row?.revision;
}

/**
 * Starts to record changes from now on, under a mark; all other marks are deleted.
 * @returns the last change so far
 */
export function noteChanges(database: Database, mark: string): Promise<number> {
  return database.transaction(async (within) => {
    await within.run('DELETE FROM catalog_changes');
    await within.run('DELETE FROM catalog_kept');
    // Revisions continue after the rows are gone.
    const [row] = await within.all<{ seq: number }>(
      "SELECT seq FROM sqlite_sequence WHERE name = 'catalog_changes'",
    );
    const revision = row?.seq ?? 0;
    await within.run('INSERT INTO catalog_kept (mark, revision) VALUES (?, ?)', [mark, revision]);
    return revision;
  });
}

/** Announces an index with every change up to a revision before it is written; the previous one stays known. */
export async function announceKept(
  database: Queryable,
  mark: string,
  revision: number,
): Promise<void> {
  await database.run('INSERT INTO catalog_kept (mark, revision) VALUES (?, ?)', [mark, revision]);
}

/** Deletes the record of an index that was announced but not written. */
export async function withdrawKept(database: Queryable, mark: string): Promise<void> {
  await database.run('DELETE FROM catalog_kept WHERE mark = ?', [mark]);
}

/** Deletes the records of all other indexes, and the changes that this one includes. */
export function confirmKept(database: Database, mark: string): Promise<void> {
  return database.transaction(async (within) => {
    await within.run('DELETE FROM catalog_kept WHERE mark <> ?', [mark]);
    await within.run(
      'DELETE FROM catalog_changes WHERE revision <= (SELECT revision FROM catalog_kept WHERE mark = ?)',
      [mark],
    );
  });
}
