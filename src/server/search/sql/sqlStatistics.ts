import type { Database } from '../../store/index.ts';
import { type QueryKey, type WeighedQuery, weighed } from '../lexical/queryKeys.ts';
import { epochOf, rarity } from '../lexical/statistics.ts';
import { Remembered } from '../ranking/remembered.ts';
import { havingStatement } from './lexicalStatement.ts';

/** Number of terms whose counts are kept, because counting a common one reads all its postings. */
const MOST_TERMS = 20_000;
const MOST_EPOCHS = 64;

/** The rarity of terms in an epoch of the catalog, from a database; counted once per epoch. */
export class SqlStatistics {
  readonly #database: Database;
  readonly #having = new Remembered<number>(MOST_TERMS);
  readonly #entries = new Remembered<number>(MOST_EPOCHS);

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
