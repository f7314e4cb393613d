import type { Clock } from '../../clock.ts';
import {
  assertSchemaCurrent,
  type Database,
  type Queryable,
  StoreError,
} from '../../store/index.ts';
import { DATABASE_NOW } from './databaseClock.ts';

/** How long an instance counts as alive after its last beat. */
export const INSTANCE_TTL_MS = 10_000;

/**
 * Joins the instances that share a store. An embedded store has one process at a time, so the work that
 * another one left there is adopted immediately; on PostgreSQL, when that instance's lease has expired.
 * @param newId returns a name that no instance ever had
 */
export async function joinInstances(
  database: Database,
  clock: Clock,
  newId: () => string,
  ttlMs: number = INSTANCE_TTL_MS,
): Promise<Membership> {
  const membership = new Membership(database, clock, newId, ttlMs);
  // A frozen embedded store accepts no writes, and there is no other instance to inform: the service runs,
  // and refuses everything that it would have to record.
  if (database.frozen === undefined) await membership.join();
  return membership;
}

/** A moment on both clocks of this process. */
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
  /** A separate connection: statements that wait for a slow database must not delay a heartbeat. */
  readonly #line: Queryable;
  #id: string;
  #outdated: StoreError | undefined;
  /** Time at which the last accepted heartbeat was sent. */
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

  /** Current name of this instance. It changes after the others have considered it dead. */
  get id(): string {
    return this.#id;
  }

  /** Whether this name is the instance's current one and the others certainly consider it alive. */
  isCurrent(name: string): boolean {
    return name === this.#id && (!this.#isShared || this.#sinceBeat() < this.#ttlMs);
  }

  /** Whether this instance may accept work: the others certainly consider it alive. */
  get holdsLease(): boolean {
    return this.isCurrent(this.#id);
  }

  /** Milliseconds since a heartbeat was last accepted, on PostgreSQL; 0 for an embedded store, which says itself if it fails. */
  get silentForMs(): number {
    return this.#isShared ? this.#sinceBeat() : 0;
  }

  /** Why this instance may no longer work: a later version has changed the store, or is about to. */
  get outdated(): StoreError | undefined {
    return this.#outdated;
  }

  /** Registers this instance and adopts work that others have left. */
  async join(): Promise<void> {
    await this.#enlist();
    await this.adopt();
  }

  /** Renews the lease, which shows the others that this instance is alive. */
  async beat(): Promise<void> {
    const beat = this.#read();
    await this.#assertCurrent();
    const sql = `UPDATE instances SET expires_at = ${this.#expiry} WHERE id = ?`;
    if ((await this.#line.run(sql, [this.#ttlMs, this.#id])) > 0) {
      this.#beat = beat;
      return;
    }
    // The others consider this instance dead and own its work; writes under its old name change nothing.
    this.#beat = undefined;
    this.#id = this.#newId();
    await this.#enlist();
  }

  /**
   * Adopts the work of dead instances in one transaction: settlements, channels and undelivered outcomes.
   * If such an instance returns later, its writes change nothing.
   */
  async adopt(): Promise<void> {
    if (this.#outdated !== undefined) throw this.#outdated;
    const database = this.#database;
    const gone = this.#isShared
      ? await database.run(`DELETE FROM instances WHERE expires_at < ${DATABASE_NOW}`)
      : await database.run('DELETE FROM instances WHERE id <> ?', [this.#id]);
    if (gone > 0 || (await hasOrphans(database))) {
      await database.transaction((within) => takeOrphans(within, this.#id));
    }
  }

  /** Leaves; the others adopt its unfinished work. */
  async leave(): Promise<void> {
    await this.#line.run('DELETE FROM instances WHERE id = ?', [this.#id]);
  }

  /** Reads the database's clock, on which all instances agree; an embedded store needs no agreement. */
  get #expiry(): string {
    return this.#isShared ? `${DATABASE_NOW} + CAST(? AS BIGINT)` : '?';
  }

  #read(): Reading {
    return { elapsed: this.#clock.elapsed(), wall: this.#clock.now() };
  }

  /**
   * Milliseconds since the last heartbeat was sent, on the clock that shows more: the wall clock may be set
   * back, and the monotonic one may stop while the machine is suspended.
   */
  #sinceBeat(): number {
    if (this.#beat === undefined) return Number.POSITIVE_INFINITY;
    const { elapsed, wall } = this.#read();
    return Math.max(elapsed - this.#beat.elapsed, wall - this.#beat.wall);
  }

  /**
   * Gives up the lease if a later version uses the store, because this version would ignore what that one writes. Checked
   * before each renewal, so that a lease is not renewed after the change was announced.
   */
  async #assertCurrent(): Promise<void> {
    if (!this.#isShared) return;
    try {
      await assertSchemaCurrent(this.#line);
      this.#outdated = undefined;
    } catch (error) {
      if (error instanceof StoreError && error.code === 'newer') {
        this.#outdated = error;
        this.#beat = undefined;
      }
      throw error;
    }
  }

  async #enlist(): Promise<void> {
    const beat = this.#read();
    await this.#assertCurrent();
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
