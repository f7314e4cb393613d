import type { SqliteConnection, SqliteStatement } from './sqliteEngine.ts';

/** Statements that stay prepared; what the service runs again and again fits easily. */
const MAX_STATEMENTS = 200;

/** Statements of a connection, prepared once for as long as they are kept. */
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

  /** Forgets a statement, such as one that failed. */
  discard(sql: string): void {
    this.#statements.get(sql)?.discard();
    this.#statements.delete(sql);
  }

  discardAll(): void {
    for (const sql of [...this.#statements.keys()]) this.discard(sql);
  }
}
