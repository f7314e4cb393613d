import type pg from 'pg';
import type { Queryable } from '../database.ts';
import { StoreError } from '../storeError.ts';
import { postgresError } from './postgresError.ts';
import type { Statements } from './statements.ts';

/** Where transactions run. */
interface Place {
  readonly pool: pg.Pool;
  readonly statements: Statements;
  /** Begins a transaction. */
  readonly begin: string;
}

/** Runs a transaction on its own connection, and rolls it back if it fails. */
export async function transactOnce<T>(
  { pool, statements, begin }: Place,
  work: (within: Queryable) => Promise<T>,
): Promise<T> {
  const client = await pool.connect().catch((cause: unknown) => {
    const error = postgresError(cause);
    statements.frozen = error;
    throw error;
  });
  let broken = false;
  // The pool listens on connections that lie idle alone. One that breaks while it is lent out, between
  // two statements, would end the process; here it fails the next statement.
  const onBreak = (): void => {
    broken = true;
  };
  client.on('error', onBreak);
  const within = statements.on(client);
  try {
    await within.run(begin);
    const result = await work(within);
    await within.run('COMMIT');
    return result;
  } catch (error) {
    // After an unanswered statement this one would wait too; closing the connection also rolls back.
    broken ||= error instanceof StoreError && error.code === 'unreachable';
    if (!broken) {
      await within.run('ROLLBACK').catch(() => {
        broken = true;
      });
    }
    throw error;
  } finally {
    client.off('error', onBreak);
    client.release(broken);
  }
}
