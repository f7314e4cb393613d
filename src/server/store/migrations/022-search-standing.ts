import type { Migration } from '../migrate.ts';

/**
 * What ranks and groups entries besides their words: `standing`, from payments and the owner; `seller` and `origin`, numbers of
 * the entries' groups; `likeness`, 128 bits of the embedding in hexadecimal, empty before there is one. The tables are made of
 * the catalog's entries, so they are emptied here and filled again at the start.
 */
export const searchStanding: Migration = {
  name: '022-search-standing',
  statements: () => [
    'DELETE FROM search_postings',
    'DELETE FROM search_filters',
    'DELETE FROM search_documents',
    'ALTER TABLE search_documents ADD COLUMN standing BIGINT NOT NULL DEFAULT 0',
    'ALTER TABLE search_documents ADD COLUMN seller BIGINT NOT NULL DEFAULT 0',
    'ALTER TABLE search_documents ADD COLUMN origin BIGINT NOT NULL DEFAULT 0',
    "ALTER TABLE search_documents ADD COLUMN likeness TEXT NOT NULL DEFAULT ''",
  ],
};
