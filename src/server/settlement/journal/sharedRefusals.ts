import type { Database, SqlValue } from '../../store/index.ts';
import { DATABASE_NOW } from './databaseClock.ts';
import type { SettlementRecord } from './settlementRecord.ts';

/** Longer than any request takes. */
const KEPT_MS = 120_000;

/** A refusal that an instance gave before anything was submitted. */
export interface SharedRefusal {
  /** The refusal as that instance wrote it. */
  readonly told: string;
  /** Milliseconds since then, by the database's clock. */
  readonly agoMs: number;
}

/**
 * The refusals that instances on one PostgreSQL tell each other of. A seller that sends one payment
 * to two instances at once and hears from one that nothing moved must not find that the other one
 * moved it. The instance of an embedded store is the only one, and keeps its refusals in memory.
 */
export class SharedRefusals {
  readonly #database: Database;
  readonly #isShared: boolean;

  constructor(database: Database) {
    this.#database = database;
    this.#isShared = database.dialect === 'postgres';
  }

  /**
   * Makes an authorization acceptable again and says why it was refused, in one step: another
   * instance finds the claim or the refusal.
   * @param change the statement that does so, and changes one row or none
   * @returns whether it changed one
   */
  async tell(
    { key, digest }: SettlementRecord,
    told: string | undefined,
    change: string,
    params: readonly SqlValue[],
  ): Promise<boolean> {
    if (!this.#isShared || key === undefined || told === undefined) {
      return (await this.#database.run(change, params)) > 0;
    }
    const changed = await this.#database.run(
      `WITH changed AS (${change} RETURNING id)
       INSERT INTO refusals (authorization_key, digest, told, refused_at)
       SELECT CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), ${DATABASE_NOW} FROM changed
       ON CONFLICT (authorization_key) DO UPDATE
         SET digest = excluded.digest, told = excluded.told, refused_at = excluded.refused_at`,
      [...params, key, digest, told],
    );
    return changed > 0;
  }

  /** What the last instance said that refused this request. Asked after the request was claimed. */
  async find({ key, digest }: SettlementRecord): Promise<SharedRefusal | undefined> {
    if (!this.#isShared || key === undefined) return undefined;
    const [row] = await this.#database.all<{ told: string; ago: number | bigint }>(
      `SELECT told, ${DATABASE_NOW} - refused_at AS ago FROM refusals
       WHERE authorization_key = ? AND digest = ?`,
      [key, digest],
    );
    return row === undefined ? undefined : { told: row.told, agoMs: Number(row.ago) };
  }

  async forgetOld(): Promise<void> {
    if (!this.#isShared) return;
    await this.#database.run(`DELETE FROM refusals WHERE refused_at < ${DATABASE_NOW} - ?`, [
      KEPT_MS,
    ]);
  }
}
