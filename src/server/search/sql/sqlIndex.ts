import type { Database, Queryable } from '../../store/index.ts';
import { impacts } from '../lexical/fieldTerms.ts';
import { type QueryKey, type WeighedQuery, weighed } from '../lexical/queryKeys.ts';
import { epochOf, rarity } from '../lexical/statistics.ts';
import { wordEvidence } from '../lexical/wordEvidence.ts';
import { filterKeys } from '../memory/filterIndex.ts';
import { writeLikeness } from '../ranking/likeness.ts';
import { Remembered } from '../ranking/remembered.ts';
import { saidDigests } from '../saidDigests.ts';
import { type Counts, groupNumber, popularity, type SearchDocument } from '../searchDocument.ts';
import type { FoundByWords, FoundEntry, Scope, SearchIndex } from '../searchIndex.ts';
import { likenessOf } from '../semantic/likenessOf.ts';
import {
  addPostings,
  type EntryColumns,
  havingStatement,
  lexicalStatement,
  rankedEntry,
  removePostings,
} from './lexicalStatement.ts';
import { nearestByPgvector, setVectorStatement } from './pgvector.ts';
import { marks, type Statement } from './statement.ts';

/** Number of terms whose counts are kept, because counting a common one reads all its postings. */
const MAX_TERMS = 20_000;
const MAX_EPOCHS = 64;

/** The rarity of terms in an epoch of the catalog, from a database; counted once per epoch. */
class SqlStatistics {
  readonly #database: Database;
  readonly #having = new Remembered<number>(MAX_TERMS);
  readonly #entries = new Remembered<number>(MAX_EPOCHS);

  constructor(database: Database) {
    this.#database = database;
  }

  /** Weighs a query's keys in the epoch of `asOf`, and counts the entries of that epoch. */
  async weigh(
    keys: readonly QueryKey[],
    asOf: number,
  ): Promise<WeighedQuery & { readonly entries: number }> {
    if (keys.length === 0) return { keys: [], weight: 0, entries: 0 };
    const end = epochOf(Math.min(asOf, await this.#newest()));
    const unknown = keys.filter(({ key }) => this.#having.get(`${end} ${key}`) === undefined);
    if (unknown.length > 0) await this.#count(unknown, end);
    const entries = await this.#entriesUntil(end);
    const rarityOf = (term: string) => {
      const having = this.#having.get(`${end} ${term}`) ?? null;
      return having === null ? null : rarity(having, entries);
    };
    return { ...weighed(keys, rarityOf, entries), entries };
  }

  async #newest(): Promise<number> {
    const [row] = await this.#database.all<{ newest: number | null }>(
      'SELECT MAX(sequence) AS newest FROM search_documents',
    );
    return row?.newest ?? 0;
  }

  async #count(keys: readonly QueryKey[], end: number): Promise<void> {
    const { sql, params } = havingStatement(
      keys.map(({ key }) => key),
      end,
    );
    const rows = await this.#database.all<{ term: string; entries: number }>(sql, params);
    for (const { term, entries } of rows) this.#having.set(`${end} ${term}`, entries);
  }

  async #entriesUntil(end: number): Promise<number> {
    const known = this.#entries.get(String(end));
    if (known !== undefined) return known;
    const [row] = await this.#database.all<{ entries: number }>(
      'SELECT COUNT(*) AS entries FROM search_documents WHERE sequence <= ?',
      [end],
    );
    const entries = row?.entries ?? 0;
    this.#entries.set(String(end), entries);
    return entries;
  }
}

type Weights = readonly (readonly [term: string, weight: number])[];

export interface SqlIndexOptions {
  readonly database: Database;
  /** Name of the embedding provider. */
  readonly provider: string;
  /** The index for vectors if the database does not have pgvector. */
  readonly vectors: SearchIndex | null;
}

interface Row {
  readonly sequence: number;
  readonly said: string;
  readonly embedded: string;
  readonly keys: string;
  readonly filters: string;
  readonly likeness: string;
}

/**
 * The search's entries in a database, for more entries than one process should hold and for several
 * processes. Vectors are in it too if it has pgvector, otherwise in `vectors`, an index of this process.
 */
export class SqlIndex implements SearchIndex {
  readonly vectorIndex: 'in process' | 'pgvector';
  readonly #database: Database;
  readonly #provider: string;
  readonly #vectors: SearchIndex | null;
  readonly #statistics: SqlStatistics;
  #size: number;

  private constructor({ database, provider, vectors }: SqlIndexOptions, size: number) {
    this.#database = database;
    this.#statistics = new SqlStatistics(database);
    this.#provider = provider;
    this.#vectors = vectors;
    this.#size = size;
    this.vectorIndex = vectors === null ? 'pgvector' : 'in process';
  }

  /** Opens an index over the existing tables. */
  static async open(options: SqlIndexOptions): Promise<SqlIndex> {
    const [row] = await options.database.all<{ size: number }>(
      'SELECT COUNT(*) AS size FROM search_documents',
    );
    return new SqlIndex(options, row?.size ?? 0);
  }

  get size(): number {
    return this.#size;
  }

  async put(document: SearchDocument): Promise<boolean> {
    const digests = saidDigests(document);
    const { added, needed } = await this.#database.transaction(async (within) => {
      const known = await find(within, document.id);
      const added = known === undefined;
      if (known?.said === digests.said) {
        await this.#setCounts(within, document.id, document);
      } else {
        if (known) await clear(within, document.id, known);
        const likeness = known?.embedded === digests.embedded ? known.likeness : '';
        await insert(within, document, digests, likeness);
      }
      if (this.#vectors) return { added, needed: false };
      const same = known?.embedded === digests.embedded && known.sequence === document.sequence;
      if (!same && known) await this.#removeVector(within, known.sequence);
      const kept = same && (await this.#hasVector(within, document.sequence));
      return { added, needed: !kept };
    });
    if (added) this.#size += 1;
    return this.#vectors ? this.#vectors.put(document) : needed;
  }

  async count(id: string, counts: Counts): Promise<void> {
    await this.#setCounts(this.#database, id, counts);
    await this.#vectors?.count(id, counts);
  }

  async remove(id: string): Promise<void> {
    const removed = await this.#database.transaction(async (within) => {
      const known = await find(within, id);
      if (!known) return false;
      await clear(within, id, known);
      if (!this.#vectors) await this.#removeVector(within, known.sequence);
      return true;
    });
    if (removed) this.#size -= 1;
    await this.#vectors?.remove(id);
  }

  async setVector(id: string, vector: Float32Array): Promise<void> {
    await this.#database.run('UPDATE search_documents SET likeness = ? WHERE id = ?', [
      writeLikeness(likenessOf(vector)),
      id,
    ]);
    if (this.#vectors) return this.#vectors.setVector(id, vector);
    await this.#database.transaction(async (within) => {
      const known = await find(within, id);
      if (known) await run(within, setVectorStatement(known.sequence, this.#provider, vector));
    });
  }

  async newest(): Promise<number> {
    const [row] = await this.#database.all<{ newest: number | null }>(
      'SELECT MAX(sequence) AS newest FROM search_documents',
    );
    return row?.newest ?? 0;
  }

  async lexical(keys: readonly QueryKey[], scope: Scope): Promise<readonly FoundByWords[]> {
    const asked = await this.#statistics.weigh(keys, scope.asOf);
    if (asked.keys.length === 0) return [];
    const found = await this.#all<EntryColumns & Pick<FoundEntry, 'score'>>(
      lexicalStatement(asked.keys, scope),
    );
    const evidenceOf = wordEvidence(asked.weight, asked.entries);
    return found.map((entry) => ({ ...rankedEntry(entry), evidence: evidenceOf(entry.score) }));
  }

  async nearest(vector: Float32Array, floor: number, scope: Scope): Promise<readonly FoundEntry[]> {
    return this.#vectors
      ? this.#vectors.nearest(vector, floor, scope)
      : nearestByPgvector(this.#database, vector, floor, scope);
  }

  #all<T extends object>({ sql, params }: Statement): Promise<T[]> {
    return this.#database.all<T>(sql, params);
  }

  async #setCounts(on: Queryable, id: string, counts: Counts): Promise<void> {
    await on.run('UPDATE search_documents SET popularity = ?, standing = ? WHERE id = ?', [
      popularity(counts),
      counts.standing,
      id,
    ]);
  }

  async #hasVector(on: Queryable, document: number): Promise<boolean> {
    const rows = await on.all('SELECT 1 AS one FROM search_vectors WHERE document = ?', [document]);
    return rows.length > 0;
  }

  async #removeVector(on: Queryable, document: number): Promise<void> {
    await on.run('DELETE FROM search_vectors WHERE document = ?', [document]);
  }
}

async function run(on: Queryable, { sql, params }: Statement): Promise<void> {
  await on.run(sql, params);
}

async function find(on: Queryable, id: string): Promise<Row | undefined> {
  const [row] = await on.all<Row>(
    'SELECT sequence, said, embedded, keys, filters, likeness FROM search_documents WHERE id = ?',
    [id],
  );
  return row;
}

async function insert(
  on: Queryable,
  document: SearchDocument,
  { said, embedded }: { readonly said: string; readonly embedded: string },
  likeness: string,
): Promise<void> {
  const weights: Weights = impacts(document);
  const filters = filterKeys(document.fields);
  const { id, sequence } = document;
  await on.run(
    `INSERT INTO search_documents (id, sequence, popularity, said, embedded, keys, filters,
       standing, seller, origin, likeness)
     VALUES (${marks(11)})`,
    [
      ...[id, sequence, popularity(document), said, embedded],
      ...[JSON.stringify(weights), JSON.stringify(filters), document.standing],
      ...[groupNumber(document.seller), groupNumber(document.origin), likeness],
    ],
  );
  if (weights.length > 0) await run(on, addPostings(sequence, weights));
  await on.run(
    `INSERT INTO search_filters (value, document) VALUES ${filters.map(() => '(?, ?)').join(', ')}`,
    filters.flatMap((value) => [value, sequence]),
  );
}

/** Parses the stored words of an entry; undefined if the row is damaged. */
function readWeights(text: string): Weights | undefined {
  const weights = readJson(text);
  const isWhole =
    Array.isArray(weights) &&
    weights.every(
      (pair) => Array.isArray(pair) && typeof pair[0] === 'string' && typeof pair[1] === 'number',
    );
  return isWhole ? weights : undefined;
}

/** Parses the stored filter values of an entry, of which there is at least one; undefined if the row is damaged. */
function readFilters(text: string): readonly string[] | undefined {
  const filters = readJson(text);
  const isWhole =
    Array.isArray(filters) &&
    filters.length > 0 &&
    filters.every((value) => typeof value === 'string');
  return isWhole ? filters : undefined;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function clear(on: Queryable, id: string, known: Row): Promise<void> {
  const weights = readWeights(known.keys);
  // Without its words its rows are found by a scan, which is slow and happens for a damaged row only.
  if (weights === undefined)
    await on.run('DELETE FROM search_postings WHERE document = ?', [known.sequence]);
  else if (weights.length > 0) await run(on, removePostings(known.sequence, weights));
  const filters = readFilters(known.filters);
  if (filters === undefined)
    await on.run('DELETE FROM search_filters WHERE document = ?', [known.sequence]);
  else
    await on.run(
      `DELETE FROM search_filters WHERE document = ? AND value IN (${marks(filters.length)})`,
      [known.sequence, ...filters],
    );
  await on.run('DELETE FROM search_documents WHERE id = ?', [id]);
}
