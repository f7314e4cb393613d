import type { Database, Queryable } from '../../store/index.ts';
import type { FoundEntry, Scope } from '../searchIndex.ts';
import { DIMENSIONS } from '../semantic/kernels.ts';
import { unit } from '../semantic/quantized.ts';
import {
  ENTRY_COLUMNS,
  type EntryColumns,
  rankedEntry,
  scopeCondition,
} from './lexicalStatement.ts';
import type { Statement } from './statement.ts';

/** Number of candidates that a search of the graph keeps: with fewer, some of the 100 wanted neighbours are lost. */
const EF_SEARCH = 400;

/**
 * Prepares the server for half-precision vectors (pgvector 0.8 or later, for scans that continue until filters are met).
 * Returns false if it does not have the extension, or this user is not allowed to create it.
 */
export async function preparePgvector(database: Database, provider: string): Promise<boolean> {
  if (database.dialect !== 'postgres') return false;
  const available = await database.all<{ version: string | null }>(
    `SELECT COALESCE(installed_version, default_version) AS version
     FROM pg_available_extensions WHERE name = 'vector'`,
  );
  const [major = 0, minor = 0] = (available[0]?.version ?? '0.0').split('.').map(Number);
  if (major === 0 && minor < 8) return false;
  try {
    await database.run('CREATE EXTENSION IF NOT EXISTS vector');
  } catch {
    return false;
  }
  await database.run(`CREATE TABLE IF NOT EXISTS search_vectors (
    document BIGINT PRIMARY KEY,
    provider TEXT NOT NULL,
    embedding halfvec(${DIMENSIONS}) NOT NULL
  )`);
  await database.run(`CREATE INDEX IF NOT EXISTS search_vectors_nearest
    ON search_vectors USING hnsw (embedding halfvec_cosine_ops)`);
  // Embeddings of different providers are not comparable; all existing ones are of one provider.
  const [kept] = await database.all<{ provider: string }>(
    'SELECT provider FROM search_vectors LIMIT 1',
  );
  if (kept !== undefined && kept.provider !== provider)
    await database.run('TRUNCATE search_vectors');
  return true;
}

export function setVectorStatement(
  document: number,
  provider: string,
  vector: Float32Array,
): Statement {
  return {
    sql: `INSERT INTO search_vectors (document, provider, embedding)
      VALUES (?, ?, CAST(? AS halfvec))
      ON CONFLICT (document) DO UPDATE
      SET provider = excluded.provider, embedding = excluded.embedding`,
    params: [document, provider, vectorText(vector)],
  };
}

/** The nearest entries by the index: approximate, and in half precision. */
function nearestStatement(vector: Float32Array, scope: Scope): Statement {
  const condition = scopeCondition('v', scope);
  const text = vectorText(vector);
  return {
    sql: `SELECT ${ENTRY_COLUMNS}, n.distance FROM (
        SELECT v.document, v.embedding <=> CAST(? AS halfvec) AS distance FROM search_vectors v
        WHERE ${condition.sql} ORDER BY v.embedding <=> CAST(? AS halfvec) LIMIT ?) AS n
      JOIN search_documents d ON d.sequence = n.document
      ORDER BY n.distance, d.standing DESC, d.popularity DESC, d.sequence`,
    params: [text, ...condition.params, text, scope.depth],
  };
}

/** Returns the entries nearest to a vector, with a cosine of at least `floor`. */
export async function nearestByPgvector(
  database: Database,
  vector: Float32Array,
  floor: number,
  scope: Scope,
): Promise<readonly FoundEntry[]> {
  const { sql, params } = nearestStatement(vector, scope);
  const rows = await database.transaction(async (within: Queryable) => {
    await within.run(`SET LOCAL hnsw.ef_search = ${EF_SEARCH}`);
    await within.run('SET LOCAL hnsw.iterative_scan = strict_order');
    return within.all<EntryColumns & { readonly distance: number }>(sql, params);
  });
  return rows
    .filter(({ distance }) => 1 - distance >= floor)
    .map(({ distance, ...entry }) => ({ ...rankedEntry(entry), score: 1 - distance }));
}

/** Scaled to length one, so that half precision is used well. */
const vectorText = (vector: Float32Array): string => `[${Array.from(unit(vector)).join(',')}]`;
