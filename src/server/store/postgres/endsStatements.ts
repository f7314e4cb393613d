import type pg from 'pg';
import { postgresError } from './postgresError.ts';

/** The driver, which is loaded only where PostgreSQL is used. */
type Driver = Pick<typeof pg, 'Client'>;

/**
 * Returns whether the server itself ends statements that exceed the deadline a connection asks for in its startup
 * message. Poolers share connections between clients: PgBouncer refuses the parameter, or drops it with
 * `ignore_startup_parameters`.
 * @param config of a connection, with its `statement_timeout` in milliseconds
 * @throws StoreError when the database cannot be reached or refuses the user
 */
export async function endsStatements(driver: Driver, config: pg.ClientConfig): Promise<boolean> {
  const client = new driver.Client(config);
  // The connection is closed in any case; a failure after that concerns nobody.
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ setting: string }>(
      "SELECT setting FROM pg_settings WHERE name = 'statement_timeout'",
    );
    return rows[0]?.setting === String(config.statement_timeout);
  } catch (error) {
    if (isRefusedParameter(error)) return false;
    throw postgresError(error);
  } finally {
    void client.end().catch(() => {});
  }
}

function isRefusedParameter(error: unknown): boolean {
  return error instanceof Error && /startup parameter/i.test(error.message);
}
