import type { WeighedKey } from '../lexical/queryKeys.ts';
import { requiredKeys } from '../memory/filterIndex.ts';
import { readLikeness } from '../ranking/likeness.ts';
import type { RankedEntry, Scope } from '../searchIndex.ts';
import { marks, type Statement } from './statement.ts';

/** Maximum number of postings of one term that a query reads, those with the greatest impact first. */
const MAX_POSTINGS = 20_000;

/** The columns of a ranked entry. */
export const ENTRY_COLUMNS =
  'd.id, d.sequence, d.popularity, d.standing, d.seller, d.origin, d.likeness';

/** A ranked entry as the columns have it. */
export type EntryColumns = Omit<RankedEntry, 'likeness'> & { readonly likeness: string };

/** Returns a ranked entry from its columns. */
export const rankedEntry = <T extends EntryColumns>(row: T): Omit<T, 'likeness'> & RankedEntry => ({
  ...row,
  likeness: readLikeness(row.likeness),
});

/** Returns the condition for entries of the table `alias` that all filters allow and that were listed by then. */
export function scopeCondition(alias: string, { filters, asOf }: Scope): Statement {
  const values = requiredKeys(filters);
  const allowed = values.map(
    () =>
      ` AND EXISTS (SELECT 1 FROM search_filters f
        WHERE f.value = ? AND f.document = ${alias}.document)`,
  );
  return { sql: `${alias}.document <= ?${allowed.join('')}`, params: [asOf, ...values] };
}

/**
 * Ranks by the lexical stage: the sum of the found terms' impacts, each multiplied by the key's weight, then standing, then
 * settlements × 2 + unique payers, then age.
 */
export function lexicalStatement(keys: readonly WeighedKey[], scope: Scope): Statement {
  const condition = scopeCondition('p', scope);
  // The row is `?` multiplied by the weight; SQLite needs a separate query for each part of a union with a limit.
  const parts = keys.map(
    ({ weight }) => `SELECT document, points FROM (
      SELECT p.document, p.weight * ${weight} AS points FROM search_postings p
      WHERE p.term = ? AND ${condition.sql}
      ORDER BY p.weight DESC, p.document LIMIT ${MAX_POSTINGS}) AS best`,
  );
  return {
    sql: `WITH matched AS (${parts.join(' UNION ALL ')}),
      scored AS (SELECT document, CAST(SUM(points) AS BIGINT) AS score FROM matched GROUP BY document)
      SELECT ${ENTRY_COLUMNS}, s.score FROM scored s
      JOIN search_documents d ON d.sequence = s.document
      WHERE s.score >= (SELECT MIN(score) FROM (
        SELECT score FROM scored ORDER BY score DESC LIMIT ?) AS first)
      ORDER BY s.score DESC, d.standing DESC, d.popularity DESC, d.sequence LIMIT ?`,
    params: [...keys.flatMap(({ key }) => [key, ...condition.params]), scope.depth, scope.depth],
  };
}

/** Counts the entries with each term among those listed up to `end`; one row for each term that any entry has. */
export const havingStatement = (terms: readonly string[], end: number): Statement => ({
  sql: `SELECT term, CAST(SUM(CASE WHEN document <= ? THEN 1 ELSE 0 END) AS BIGINT) AS entries
    FROM search_postings WHERE term IN (${marks(terms.length)}) GROUP BY term`,
  params: [end, ...terms],
});

/** Adds rows to the postings, or removes them. */
export const addPostings = (
  document: number,
  weights: readonly (readonly [term: string, weight: number])[],
): Statement => ({
  sql: `INSERT INTO search_postings (document, weight, term) VALUES ${weights
    .map(() => `(${marks(3)})`)
    .join(', ')}`,
  params: weights.flatMap(([term, weight]) => [document, weight, term]),
});

export const removePostings = (
  document: number,
  weights: readonly (readonly [term: string, weight: number])[],
): Statement => ({
  sql: `DELETE FROM search_postings WHERE ${weights
    .map(() => '(term = ? AND weight = ? AND document = ?)')
    .join(' OR ')}`,
  params: weights.flatMap(([term, weight]) => [term, weight, document]),
});
