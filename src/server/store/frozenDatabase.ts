import type { Database, Dialect } from './database.ts';
import type { StoreError } from './storeError.ts';

/**
 * Stands for a store that could not be opened: it refuses everything, and touches nothing. So the
 * service can run and say what is wrong, while what is on the disk stays as it was found.
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
