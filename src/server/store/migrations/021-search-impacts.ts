import type { Migration } from '../migrate.ts';

/**
 * Postings hold what a term does for an entry (its impact) instead of the weight of its fields. They are made
 * of the catalog's entries, so what there is of the older form is left out and made again at the start.
 */
export const searchImpacts: Migration = {
  name: '021-search-impacts',
  statements: () => [
    'DELETE FROM search_postings',
    'DELETE FROM search_filters',
    'DELETE FROM search_documents',
  ],
};
