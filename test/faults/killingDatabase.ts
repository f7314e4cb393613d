import type { Database, Queryable, SqlValue } from '../../src/server/store/index.ts';

/** Ends this process as `kill -9` does, and lets nothing more happen. */
function die(): Promise<never> {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => {});
}

/**
 * A store that kills the process before or after a certain write.
 * @param count at which such write: 1 is the first
 */
export function killingDatabase(
  database: Database,
  pattern: RegExp,
  moment: 'before' | 'after',
  count: number,
): Database {
  let left = count;

  async function around<T>(sql: string, run: () => Promise<T>): Promise<T> {
    if (!pattern.test(sql) || --left !== 0) return run();
    if (moment === 'before') return die();
    await run();
    return die();
  }

  const wrap = (on: Queryable): Queryable => ({
    dialect: on.dialect,
    all: <Row extends object>(sql: string, params?: readonly SqlValue[]) =>
      around(sql, () => on.all<Row>(sql, params)),
    run: (sql, params) => around(sql, () => on.run(sql, params)),
  });
  return {
    ...wrap(database),
    get frozen() {
      return database.frozen;
    },
    transaction: (work) => database.transaction((within) => work(wrap(within))),
    close: () => database.close(),
  };
}
