import type { Migration } from '../migrate.ts';

/**
 * Tables of the search.
 * - `search_documents`: one row an entry. `said` and `embedded` are digests of its words and of what of
 *   them is embedded; `keys` and `filters` are what its rows in the other tables are found by.
 * - `search_postings`: the words of an entry and the weight of their fields. The index has the heaviest
 *   first and covers all columns, so that a query reads nothing else.
 * - `search_filters`: the values an entry can be filtered by.
 * - `search_embeddings`: embeddings by the digest of provider and text.
 */
export const search: Migration = {
  name: '020-search',
  statements: (dialect) => [
    `CREATE TABLE search_documents (
    id TEXT PRIMARY KEY,
    sequence BIGINT NOT NULL UNIQUE,
    popularity BIGINT NOT NULL,
    said TEXT NOT NULL,
    embedded TEXT NOT NULL,
    keys TEXT NOT NULL,
    filters TEXT NOT NULL
  )`,
    `CREATE TABLE search_postings (
    document BIGINT NOT NULL,
    weight SMALLINT NOT NULL,
    term TEXT NOT NULL
  )`,
    `CREATE UNIQUE INDEX search_postings_heaviest
    ON search_postings (term, weight DESC, document)`,
    `CREATE TABLE search_filters (
    value TEXT NOT NULL,
    document BIGINT NOT NULL,
    PRIMARY KEY (value, document)
  )`,
    `CREATE TABLE search_embeddings (
    key TEXT PRIMARY KEY,
    vector ${dialect === 'sqlite' ? 'BLOB' : 'BYTEA'} NOT NULL
  )`,
  ],
};
