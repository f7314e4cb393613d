import type { SqliteConnection, SqliteStatement } from './sqliteEngine.ts';

/** Maximum number of prepared statements; the service's recurring ones fit easily. */
const MAX_STATEMENTS = 200;

/** Cache of a connection's prepared statements. */
export class PreparedStatements {
  readonly #connection: SqliteConnection;
  readonly #statements = new Map<string, SqliteStatement>();

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  prepared(sql: string): SqliteStatement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    if (this.#statements.size >= MAX_STATEMENTS) {
      const [oldest] = this.#statements;
      if (oldest !== undefined) this.discard(oldest[0]);
    }
    const statement = this.#connection.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  /** Removes a statement from the cache, such as one that failed. */
  discard(sql: string): void {
    this.#statements.get(sql)?.discard();
    this.#statements.delete(sql);
  }

  discardAll(): void {
    for (const sql of [...this.#statements.keys()]) this.discard(sql);
  }
}
