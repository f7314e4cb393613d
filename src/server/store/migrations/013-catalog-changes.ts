import type { Migration } from '../migrate.ts';

/** Notes that an entry changed, if there is a kept index that would have to know. */
const note = (key: string) =>
  `WHEN EXISTS (SELECT 1 FROM catalog_kept) BEGIN
     DELETE FROM catalog_changes WHERE key = ${key};
     INSERT INTO catalog_changes (key) VALUES (${key});
   END`;

/**
 * Which entries changed after the search's index was kept in a file of the data folder. Triggers note it, so
 * that no statement can forget to. PostgreSQL needs none of it: there the index is in the database.
 * - `catalog_changes`: the last change of each entry, in order; revisions are never reused.
 * - `catalog_kept`: the marks of the kept file and of the one that is being written, and up to which change
 *   each has everything. While there is none, nothing is noted.
 */
export const catalogChanges: Migration = {
  name: '013-catalog-changes',
  statements: (dialect) =>
    dialect === 'postgres'
      ? []
      : [
          `CREATE TABLE catalog_changes (
            revision INTEGER PRIMARY KEY AUTOINCREMENT,
            key TEXT NOT NULL UNIQUE
          )`,
          'CREATE TABLE catalog_kept (mark TEXT PRIMARY KEY, revision BIGINT NOT NULL)',
          `CREATE TRIGGER catalog_entries_added AFTER INSERT ON catalog_entries ${note('NEW.key')}`,
          `CREATE TRIGGER catalog_entries_changed AFTER UPDATE ON catalog_entries ${note('NEW.key')}`,
          `CREATE TRIGGER catalog_entries_removed AFTER DELETE ON catalog_entries ${note('OLD.key')}`,
          `CREATE TRIGGER catalog_options_added AFTER INSERT ON catalog_options ${note('NEW.key')}`,
          `CREATE TRIGGER catalog_options_removed AFTER DELETE ON catalog_options ${note('OLD.key')}`,
        ],
};
