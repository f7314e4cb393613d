import type { Database, Dialect } from './database.ts';
import type { StoreError } from './storeError.ts';

/**
 * Replaces a store that could not be opened: it refuses everything and writes nothing. So the service can
 * run and report the problem, while the files on the disk stay unchanged.
 */
export function frozenDatabase(dialect: Dialect, reason: StoreError): Database {
  const refuse = async (): Promise<never> => {
    throw reason;
  };
  return {
    dialect,
    frozen: reason,
    all: refuse,
    run: refuse,
    transaction: refuse,
    async close() {},
  };
}
