import { createRequire } from 'node:module';
import type { SearchDocument } from '../../src/server/search/index.ts';
import type { Contender } from './contender.ts';

const load = createRequire(new URL('../peers/package.json', import.meta.url));

const said = ({ id, serviceName, tags, description, url }: SearchDocument) => ({
  id,
  serviceName: serviceName ?? '',
  tags: tags.join(' '),
  description: description ?? '',
  url,
});
const BOOST = { serviceName: 4, tags: 3, description: 2, url: 1 };
const FIELDS = Object.keys(BOOST);

interface MiniSearch {
  addAll(documents: readonly object[]): void;
  search(query: string): readonly { readonly id: string }[];
}

/** Words only, with prefixes and misspellings, as its documentation recommends. */
export function miniSearch(): Contender {
  const { default: Constructor } = load('minisearch') as {
    default?: new (options: object) => MiniSearch;
  };
  const Found = Constructor ?? (load('minisearch') as new (options: object) => MiniSearch);
  const index = new Found({
    fields: FIELDS,
    searchOptions: { boost: BOOST, prefix: true, fuzzy: 0.2 },
  });
  return {
    name: 'MiniSearch 7.2.0 (words only)',
    async add(documents) {
      index.addAll(documents.map(said));
    },
    search: async (query) =>
      index
        .search(query)
        .slice(0, 20)
        .map(({ id }) => id),
  };
}

interface Orama {
  create(options: object): object;
  insertMultiple(index: object, documents: readonly object[], batch: number): Promise<unknown>;
  search(
    index: object,
    query: object,
  ): Promise<{ readonly hits: readonly { readonly document: { readonly id: string } }[] }>;
}

/** Words and vectors in its hybrid mode, or words only. */
export function orama(mode: 'hybrid' | 'fulltext' = 'hybrid'): Contender {
  const { create, insertMultiple, search } = load('@orama/orama') as Orama;
  const index = create({
    schema: {
      ...Object.fromEntries(['id', ...FIELDS].map((name) => [name, 'string'])),
      ...(mode === 'hybrid' ? { embedding: 'vector[1024]' } : {}),
    },
  });
  return {
    name: `Orama 3.1.18 (${mode})`,
    async add(documents, vectors) {
      const whole = documents.map((document, n) => ({
        ...said(document),
        ...(mode === 'hybrid' ? { embedding: Array.from(vectors[n] ?? []) } : {}),
      }));
      await insertMultiple(index, whole, 500);
    },
    async search(query, vector) {
      const { hits } = await search(index, {
        mode,
        term: query,
        properties: FIELDS,
        boost: BOOST,
        ...(mode === 'hybrid'
          ? { vector: { value: Array.from(vector), property: 'embedding' }, similarity: 0.12 }
          : {}),
        limit: 20,
      });
      return hits.map(({ document }) => document.id);
    },
  };
}
