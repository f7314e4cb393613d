import type { Clock } from '../../clock.ts';
import type { Database, Queryable } from '../../store/index.ts';
import { DATABASE_NOW } from './databaseClock.ts';

/** How long an instance counts as alive after its last beat. */
export const INSTANCE_TTL_MS = 10_000;

/**
 * Joins the instances that share a store. An embedded store has one process at a time, so whatever
 * another one left there is taken over at once; on PostgreSQL when its time is over.
 * @param newId gives a name that no instance ever had
 */
export async function joinInstances(
  database: Database,
  clock: Clock,
  newId: () => string,
  ttlMs: number = INSTANCE_TTL_MS,
): Promise<Membership> {
  const membership = new Membership(database, clock, newId, ttlMs);
  // An embedded store that is frozen keeps nothing, and there is nobody to tell: the service runs,
  // and refuses what it would have to write down.
  if (database.frozen === undefined) await membership.join();
  return membership;
}

/** A moment by both clocks of this process. */
interface Reading {
  readonly elapsed: number;
  readonly wall: number;
}

/** This process among those that share a store. Methods reject with StoreError. */
export class Membership {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #newId: () => string;
  readonly #ttlMs: number;
  readonly #isShared: boolean;
  /** Statements that wait for a slow database must not keep a sign of life waiting. */
  readonly #line: Queryable;
  #id: string;
  /** When the last sign of life that the database took was sent. */
  #beat: Reading | undefined;

  constructor(database: Database, clock: Clock, newId: () => string, ttlMs: number) {
    this.#database = database;
    this.#clock = clock;
    this.#newId = newId;
    this.#ttlMs = ttlMs;
    this.#isShared = database.dialect === 'postgres';
    this.#line = database.lifeline ?? database;
    this.#id = newId();
  }

  /** Under which name it works now. It changes when the others have taken it for dead. */
  get id(): string {
    return this.#id;
  }

  /** Whether the others certainly count the instance of this name as alive, and it is this one. */
  isCurrent(name: string): boolean {
    return name === this.#id && (!this.#isShared || this.#sinceBeat() < this.#ttlMs);
  }

  /** Whether this instance may take work: the others certainly count it as alive. */
  get holdsLease(): boolean {
    return this.isCurrent(this.#id);
  }

  /** Enlists this instance and takes over what others have left. */
  async join(): Promise<void> {
    await this.#enlist();
    await this.adopt();
  }

  /** Renews the lease: tells the others that this instance lives. */
  async beat(): Promise<void> {
    const beat = this.#read();
    const sql = `UPDATE instances SET expires_at = ${this.#expiry} WHERE id = ?`;
    if ((await this.#line.run(sql, [this.#ttlMs, this.#id])) > 0) {
      this.#beat = beat;
      return;
    }
    // Taken for dead: what it had is others' now, and under its old name it can change nothing.
    this.#beat = undefined;
    this.#id = this.#newId();
    await this.#enlist();
  }

  /**
   * Takes over what instances have left that no longer live: settlements, channels and the duty to
   * answer, all in one transaction. Whoever comes back after that finds that its writes change nothing.
   */
  async adopt(): Promise<void> {
    const database = this.#database;
    const gone = this.#isShared
      ? await database.run(`DELETE FROM instances WHERE expires_at < ${DATABASE_NOW}`)
      : await database.run('DELETE FROM instances WHERE id <> ?', [this.#id]);
    if (gone > 0 || (await hasOrphans(database))) {
      await database.transaction((within) => takeOrphans(within, this.#id));
    }
  }

  /** Leaves: what is unfinished is the others' from now on. */
  async leave(): Promise<void> {
    await this.#line.run('DELETE FROM instances WHERE id = ?', [this.#id]);
  }

  /** The database's own time, of which nobody's clock can be off; an embedded store has nobody to agree with. */
  get #expiry(): string {
    return this.#isShared ? `${DATABASE_NOW} + CAST(? AS BIGINT)` : '?';
  }

  #read(): Reading {
    return { elapsed: this.#clock.elapsed(), wall: this.#clock.now() };
  }

  /**
   * Milliseconds since the last sign of life was sent. Of two clocks the one that says more: the wall
   * clock may be set back, and the other one may stand still while a machine is suspended.
   */
  #sinceBeat(): number {
    if (this.#beat === undefined) return Number.POSITIVE_INFINITY;
    const { elapsed, wall } = this.#read();
    return Math.max(elapsed - this.#beat.elapsed, wall - this.#beat.wall);
  }

  async #enlist(): Promise<void> {
    const beat = this.#read();
    const sql = `INSERT INTO instances (id, expires_at) VALUES (?, ${this.#expiry})`;
    await this.#line.run(sql, [this.#id, this.#ttlMs]);
    this.#beat = beat;
  }
}

async function hasOrphans(database: Queryable): Promise<boolean> {
  const [left] = await database.all<{ orphans: number }>(
    `SELECT COUNT(*) AS orphans FROM (
       SELECT 1 FROM settlements
         WHERE (state IN ('claimed', 'submitting') OR answer = 'held' OR catalog = 'due')
           AND instance NOT IN (SELECT id FROM instances)
       UNION ALL SELECT 1 FROM settlements
         WHERE answer = 'held' AND held_by NOT IN (SELECT id FROM instances)
       UNION ALL SELECT 1 FROM channels
         WHERE holder IS NOT NULL AND holder NOT IN (SELECT id FROM instances)) AS found`,
  );
  return Number(left?.orphans ?? 0) > 0;
}

async function takeOrphans(within: Queryable, id: string): Promise<void> {
  const dead = 'NOT IN (SELECT id FROM instances)';
  await within.run(
    `UPDATE settlements SET answer = 'owed', held_by = NULL
     WHERE answer = 'held' AND held_by ${dead}`,
  );
  await within.run(
    `UPDATE settlements SET instance = ?
     WHERE (state IN ('claimed', 'submitting') OR catalog = 'due') AND instance ${dead}`,
    [id],
  );
  await within.run(
    `UPDATE channels SET holder = ?, fence = fence + 1
     WHERE holder IS NOT NULL AND holder ${dead}`,
    [id],
  );
  await within.run(`DELETE FROM channel_waits WHERE instance ${dead}`);
}
