import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import type {
  CatalogSearch,
  SearchHit,
  SearchOutcome,
  SearchRequest,
  SearchStatus,
} from './catalogSearch.ts';
import { type CursorPlace, readCursor, writeCursor } from './cursor.ts';
import type { IndexFile } from './kept/indexFile.ts';
import { readKeptIndex, writeKeptIndex } from './keptIndex.ts';
import { queryKeys } from './lexical/queryKeys.ts';
import { type Explain, explainMatches } from './match/explainMatch.ts';
import { MemoryIndex } from './memory/memoryIndex.ts';
import { type FusedEntry, fuse } from './ranking/fuse.ts';
import { Remembered } from './ranking/remembered.ts';
import { spreadOut } from './ranking/spreadOut.ts';
import type { Counts, SearchDocument } from './searchDocument.ts';
import type { SearchIndex } from './searchIndex.ts';
import { type EmbeddingCache, noEmbeddingCache } from './semantic/embeddingCache.ts';
import type { EmbeddingProvider } from './semantic/embeddingProvider.ts';
import { embeddingText } from './semantic/embeddingText.ts';
import { PendingEmbeddings } from './semantic/pendingEmbeddings.ts';
import { QueryVectors } from './semantic/queryVectors.ts';

/** Number of matches that the lexical stage ranks: the best ones, however many there are. */
const LEXICAL_DEPTH = 1_000;
/** Number of nearest entries that the semantic stage ranks. */
const VECTOR_DEPTH = 100;
/** The same for a ranking that is narrowed afterwards, so that some entries are left even for a rare property. */
const NARROWED_VECTOR_DEPTH = 1_000;
/** Number of rankings to keep, so that later pages continue the ranking of the first page. */
const RANKINGS = 64;
/** Number of entries to embed in this process before other work runs. */
const AT_ONCE = 32;
/** How long a query waits for its embedding before it continues without one. */
const QUERY_BUDGET_MS = 300;

export interface CatalogSearchOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly provider: EmbeddingProvider;
  readonly cache?: EmbeddingCache;
  /** Default: an index in this process. */
  readonly index?: SearchIndex;
  readonly queryBudgetMs?: number;
  /** Where this process's index is stored across restarts. Default: nowhere. */
  readonly file?: IndexFile;
}

/** A search over the catalog's entries, empty at first. */
export function createCatalogSearch(options: CatalogSearchOptions): CatalogSearch {
  return new FusedSearch(options);
}

interface Ranking {
  readonly hits: readonly SearchHit[];
  readonly semantic: boolean;
  /** Whether entries beyond the ranking might match too. */
  readonly cut: boolean;
}

class FusedSearch implements CatalogSearch {
  #index: SearchIndex;
  readonly #provider: EmbeddingProvider;
  readonly #pending: PendingEmbeddings;
  readonly #queries: QueryVectors;
  readonly #rankings = new Remembered<Ranking>(RANKINGS);
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #file: IndexFile | undefined;
  #loading = false;
  #stopped = false;
  #embedded = 0;

  constructor(options: CatalogSearchOptions) {
    const { clock, logger, provider, cache, index, queryBudgetMs, file } = options;
    this.#clock = clock;
    this.#logger = logger;
    this.#file = file;
    this.#index = index ?? new MemoryIndex();
    this.#provider = provider;
    this.#pending = new PendingEmbeddings({
      provider: this.#provider,
      cache: cache ?? noEmbeddingCache,
      clock,
      logger,
      use: (id, vector) => this.#index.setVector(id, vector),
    });
    this.#queries = new QueryVectors(this.#provider, clock, queryBudgetMs ?? QUERY_BUDGET_MS);
  }

  async put(document: SearchDocument): Promise<void> {
    const needed = await this.#index.put(document);
    if (needed) {
      const text = embeddingText(document);
      if (this.#provider.local) {
        const [vector] = await this.#provider.embed([text], 'entry');
        if (vector) await this.#index.setVector(document.id, vector);
        this.#embedded += 1;
        if (this.#embedded % AT_ONCE === 0) await this.#clock.sleep(0);
      } else {
        this.#pending.add(document.id, text);
      }
    }
  }

  count(id: string, counts: Counts): Promise<void> {
    return this.#index.count(id, counts);
  }

  async remove(id: string): Promise<void> {
    this.#pending.drop(id);
    await this.#index.remove(id);
  }

  async search(request: SearchRequest): Promise<SearchOutcome> {
    const { query, filters, narrow, limit, cursor } = request;
    const bound = { query, filters, narrowing: narrow?.name };
    if (query.trim() === '') return { kind: 'refused', code: 'empty_query' };
    let place: CursorPlace = { asOf: await this.#index.newest(), offset: 0, semantic: true };
    if (cursor !== null) {
      const read = readCursor(cursor, bound);
      if (read.kind === 'refused') return read;
      place = read.place;
    }
    const key = JSON.stringify([bound, place.asOf, place.semantic]);
    const ranking =
      (place.offset > 0 ? this.#rankings.get(key) : undefined) ??
      (await this.#rank(request, place));
    const end = place.offset + limit;
    const more = end < ranking.hits.length;
    const { semantic, cut } = ranking;
    if (more) this.#rankings.set(JSON.stringify([bound, place.asOf, semantic]), ranking);
    return {
      kind: 'page',
      page: {
        hits: ranking.hits.slice(place.offset, end),
        cursor: more ? writeCursor({ ...place, offset: end, semantic }, bound) : null,
        partialResults: this.#loading || !semantic || this.#pending.size > 0 || cut,
        semantic,
      },
    };
  }

  explain(query: string): Explain {
    return explainMatches(query, this.#provider.scale);
  }

  status(): SearchStatus {
    return {
      documents: this.#index.size,
      pendingEmbeddings: this.#pending.size,
      embeddings: { provider: this.#provider.name, circuit: this.#provider.circuit() },
      vectorIndex: this.#index.vectorIndex,
    };
  }

  get keeps(): boolean {
    return this.#file !== undefined && this.#index instanceof MemoryIndex;
  }

  async restore(isKnown: (mark: string) => Promise<boolean>): Promise<readonly string[] | null> {
    if (this.#file === undefined || !this.keeps) return null;
    try {
      const index = await readKeptIndex(this.#file, this.#provider, isKnown);
      if (index === null) return null;
      this.#index = index;
      return index.withoutVector();
    } catch (error) {
      this.#logger.info({ reason: reasonOf(error) }, 'rebuilding the stored search index');
      return null;
    }
  }

  async keep(mark: string): Promise<boolean> {
    const index = this.#index;
    if (this.#file === undefined || !(index instanceof MemoryIndex)) return false;
    try {
      const goOn = () => !this.#stopped;
      const bytes = await writeKeptIndex(this.#file, this.#provider, mark, index, goOn);
      this.#logger.info({ documents: index.size, bytes }, 'search index stored');
      return true;
    } catch (error) {
      if (!this.#stopped) {
        this.#logger.warn({ reason: reasonOf(error) }, 'could not store the search index');
      }
      return false;
    }
  }

  setLoading(loading: boolean): void {
    this.#loading = loading;
  }

  settled(): Promise<void> {
    return this.#pending.settled();
  }

  stop(): void {
    this.#stopped = true;
    this.#pending.stop();
  }

  async #rank({ query, filters, narrow }: SearchRequest, place: CursorPlace): Promise<Ranking> {
    const vector = place.semantic ? await this.#queries.of(query.trim()) : null;
    const scope = { filters, asOf: place.asOf };
    const depth = narrow ? NARROWED_VECTOR_DEPTH : VECTOR_DEPTH;
    const [lexical, nearest] = await Promise.all([
      this.#index.lexical(queryKeys(query), { ...scope, depth: LEXICAL_DEPTH }),
      vector ? this.#index.nearest(vector, this.#provider.floor, { ...scope, depth }) : [],
    ]);
    const fused = fuse(lexical, nearest, this.#provider.floor);
    const semantic = vector !== null;
    // A caller that asks for one recipient wants all of its entries.
    const hitsOf = (entries: readonly FusedEntry[]): SearchHit[] =>
      filters.payTo === undefined
        ? spreadOut(entries).map(({ result, more }) => hitOf(result, more))
        : entries.map((entry) => hitOf(entry, 0));
    if (narrow === undefined) return { hits: hitsOf(fused), semantic, cut: false };
    const kept = await narrow.keep(fused.map(({ entry }) => entry.id));
    return {
      hits: hitsOf(fused.filter(({ entry }) => kept.has(entry.id))),
      semantic,
      cut: lexical.length === LEXICAL_DEPTH || nearest.length === NARROWED_VECTOR_DEPTH,
    };
  }
}

/** Written out, because copying the rest of an object takes longer than ranking it. */
const hitOf = (fused: FusedEntry, moreBySeller: number): SearchHit => ({
  id: fused.entry.id,
  score: fused.score,
  lexicalRank: fused.lexicalRank,
  vectorRank: fused.vectorRank,
  points: fused.points,
  nearness: fused.nearness,
  moreBySeller,
});

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : 'unknown');
