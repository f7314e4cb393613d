import type { SearchDocument } from '../../src/server/search/index.ts';
import { openSqliteMemory } from '../../src/server/store/sqlite/openSqlite.ts';
import { miniSearch, orama } from '../search/peers.ts';
import type { JudgedQuery } from './judgedSet.ts';

/** Ranks the entries for each query: the ids of the top twenty, best first. */
export type Ranker = (
  entries: readonly SearchDocument[],
  queries: readonly JudgedQuery[],
) => Promise<readonly (readonly string[])[]>;

const WANTED = 20;
const WEIGHTS = [4, 3, 2, 1] as const;
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
const fieldsOf = ({ serviceName, tags, description, url }: SearchDocument): string[] => [
  serviceName ?? '',
  tags.join(' '),
  description ?? '',
  url,
];

/** Textbook BM25F (k1 = 1.2, b = 0.75) with the same field weights, without stemming or stop words. */
const bm25f: Ranker = async (entries, queries) => {
  const documents = entries.map((entry) => fieldsOf(entry).map(wordsOf));
  const averages = WEIGHTS.map(
    (_, f) => documents.reduce((sum, fields) => sum + (fields[f]?.length ?? 0), 0) / entries.length,
  );
  const frequencies = documents.map((fields) => {
    const weighted = new Map<string, number>();
    fields.forEach((words, f) => {
      const length = 0.25 + (0.75 * words.length) / (averages[f] || 1);
      for (const word of words)
        weighted.set(word, (weighted.get(word) ?? 0) + (WEIGHTS[f] ?? 0) / length);
    });
    return weighted;
  });
  const documentsWith = new Map<string, number>();
  for (const weighted of frequencies)
    for (const word of weighted.keys()) documentsWith.set(word, (documentsWith.get(word) ?? 0) + 1);
  const rarity = (word: string) => {
    const n = documentsWith.get(word) ?? 0;
    return Math.log(1 + (entries.length - n + 0.5) / (n + 0.5));
  };
  return queries.map(({ query }) => {
    const words = [...new Set(wordsOf(query))];
    const scored = frequencies.map((weighted, n) => {
      const score = words.reduce((sum, word) => {
        const tf = weighted.get(word) ?? 0;
        return sum + (rarity(word) * tf) / (1.2 + tf);
      }, 0);
      return { id: entries[n]?.id ?? '', score };
    });
    return best(scored);
  });
};

/** SQLite's FTS5 with its Porter stemmer, words joined by OR, `bm25()` with the same field weights. */
const fts5: Ranker = async (entries, queries) => {
  const database = await openSqliteMemory();
  try {
    await database.run(
      "CREATE VIRTUAL TABLE t USING fts5(id UNINDEXED, a, b, c, d, tokenize = 'porter unicode61')",
    );
    for (const entry of entries) {
      await database.run('INSERT INTO t VALUES (?, ?, ?, ?, ?)', [entry.id, ...fieldsOf(entry)]);
    }
    const ranked: string[][] = [];
    for (const { query } of queries) {
      const match = wordsOf(query).map((word) => `"${word}"`);
      const rows = await database.all<{ id: string }>(
        `SELECT id FROM t WHERE t MATCH ? ORDER BY bm25(t, 0, 4, 3, 2, 1) LIMIT ${WANTED}`,
        [match.join(' OR ')],
      );
      ranked.push(rows.map(({ id }) => id));
    }
    return ranked;
  } finally {
    await database.close();
  }
};

const miniSearchRanker: Ranker = async (entries, queries) => {
  const contender = miniSearch();
  await contender.add(entries, []);
  return Promise.all(queries.map(({ query }) => contender.search(query, new Float32Array(0))));
};

const oramaRanker: Ranker = async (entries, queries) => {
  const contender = orama('fulltext');
  await contender.add(entries, []);
  return Promise.all(queries.map(({ query }) => contender.search(query, new Float32Array(0))));
};

/** The ids of the first twenty by score, above zero. */
export function best(scored: { readonly id: string; readonly score: number }[]): string[] {
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, WANTED)
    .map(({ id }) => id);
}

/** Rankings by other engines, from words alone. */
export const CONTENDERS: Readonly<Record<string, Ranker>> = {
  BM25F: bm25f,
  FTS5: fts5,
  MiniSearch: miniSearchRanker,
  Orama: oramaRanker,
};
