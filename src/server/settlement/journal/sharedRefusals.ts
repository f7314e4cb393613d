import type { Database, SqlValue } from '../../store/index.ts';
import { DATABASE_NOW } from './databaseClock.ts';
import type { SettlementRecord } from './settlementRecord.ts';

/** Longer than any request takes. */
const KEPT_MS = 120_000;

/**
 * If a request is sent to several instances at once, it may arrive at one this long after another has
 * answered. A refused payment that is presented to another instance within this time is refused again.
 */
const ARRIVES_LATE_MS = 1_000;

/**
 * Shares refusals between the instances on one PostgreSQL. If a seller sends one payment to two instances
 * at once and one answers that nothing moved, the other must not move it. The instance of an embedded
 * store is the only one, and keeps its refusals in memory.
 */
export class SharedRefusals {
  readonly #database: Database;
  readonly #isShared: boolean;

  constructor(database: Database) {
    this.#database = database;
    this.#isShared = database.dialect === 'postgres';
  }

  /**
   * Makes an authorization acceptable again and records why it was refused, in one step, so that another
   * instance finds either the claim or the refusal.
   * @param change the statement that releases it and changes one row or none
   * @returns whether it changed a row
   */
  async tell(
    { key, digest, instance }: SettlementRecord,
    told: string | undefined,
    change: string,
    params: readonly SqlValue[],
  ): Promise<boolean> {
    if (!this.#isShared || key === undefined || told === undefined) {
      return (await this.#database.run(change, params)) > 0;
    }
    const changed = await this.#database.run(
      `WITH changed AS (${change} RETURNING id), told AS (SELECT ${DATABASE_NOW} AS now)
       INSERT INTO refusals AS known (authorization_key, digest, told, instance, first_at, refused_at)
       SELECT CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), now, now
       FROM changed CROSS JOIN told
       ON CONFLICT (authorization_key) DO UPDATE SET digest = excluded.digest, told = excluded.told,
         instance = excluded.instance, refused_at = excluded.refused_at,
         first_at = CASE
           WHEN known.told = excluded.told AND known.first_at > excluded.first_at - ${ARRIVES_LATE_MS}
           THEN known.first_at ELSE excluded.first_at END`,
      [...params, key, digest, told, instance],
    );
    return changed > 0;
  }

  /**
   * Returns the refusal that another instance gave this request while it was in flight. Call it after the
   * claim.
   * @param ageMs how long ago the request arrived here
   */
  async find(
    { key, digest, instance }: SettlementRecord,
    ageMs: () => number,
  ): Promise<string | undefined> {
    if (!this.#isShared || key === undefined) return undefined;
    const [row] = await this.#database.all<{ told: string; first: number; last: number }>(
      `SELECT told, ${DATABASE_NOW} - first_at AS first, ${DATABASE_NOW} - refused_at AS last
       FROM refusals WHERE authorization_key = ? AND digest = ? AND instance <> ?`,
      [key, digest, instance],
    );
    if (row === undefined) return undefined;
    // The database knows the refusal's age, and this process the request's age.
    const age = ageMs();
    const isUnderWay = row.last <= age || row.first <= age + ARRIVES_LATE_MS;
    return isUnderWay ? row.told : undefined;
  }

  async forgetOld(): Promise<void> {
    if (!this.#isShared) return;
    await this.#database.run(`DELETE FROM refusals WHERE refused_at < ${DATABASE_NOW} - ?`, [
      KEPT_MS,
    ]);
  }
}
