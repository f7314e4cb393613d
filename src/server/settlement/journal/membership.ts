import type { Clock } from '../../clock.ts';
import type { Database, Queryable } from '../../store/index.ts';

/** This process among those that share a store. */
export interface Membership {
  /** Under which name it works now. It changes when the others have taken it for dead. */
  readonly id: string;
  /** Whether the others certainly count the instance of this name as alive, and it is this one. */
  isCurrent(id: string): boolean;
  /** Whether this instance may take work: the others certainly count it as alive. */
  readonly holdsLease: boolean;
  /** Renews the lease: tells the others that this instance lives. Rejects with StoreError. */
  beat(): Promise<void>;
  /** Takes over what instances have left that no longer live. Rejects with StoreError. */
  adopt(): Promise<void>;
  /** Leaves: what is unfinished is the others' from now on. */
  leave(): Promise<void>;
}

/** How long an instance counts as alive after its last beat. */
export const INSTANCE_TTL_MS = 10_000;

/**
 * Joins the instances that share a store. An embedded store has one process at a time, so whatever
 * another one left there is taken over at once; on PostgreSQL when its time is over. Taking over
 * moves settlements, channels and the duty to answer, all in one transaction; whoever comes back
 * after that finds that its writes change nothing.
 * @param newId gives a name that no instance ever had
 */
export async function joinInstances(
  database: Database,
  clock: Clock,
  newId: () => string,
  ttlMs: number = INSTANCE_TTL_MS,
): Promise<Membership> {
  const shared = database.dialect === 'postgres';
  let id = newId();
  /** The database's clock less ours: instances need not agree on the time. */
  let ahead = 0;
  let expiresAt = 0;

  // Statements that wait for a slow database must not keep a sign of life waiting.
  const line: Queryable = database.lifeline ?? database;

  const now = (): number => clock.now() + ahead;
  const isCurrent = (name: string): boolean => name === id && (!shared || now() < expiresAt);

  async function readClock(): Promise<void> {
    if (!shared) return;
    const [row] = await line.all<{ now: number }>(
      'SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT) AS now',
    );
    ahead = (row?.now ?? clock.now()) - clock.now();
  }

  async function enlist(): Promise<void> {
    const until = now() + ttlMs;
    await line.run('INSERT INTO instances (id, expires_at) VALUES (?, ?)', [id, until]);
    expiresAt = until;
  }

  async function adopt(): Promise<void> {
    const gone = shared
      ? await database.run('DELETE FROM instances WHERE expires_at < ?', [now()])
      : await database.run('DELETE FROM instances WHERE id <> ?', [id]);
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
    if (gone === 0 && Number(left?.orphans ?? 0) === 0) return;
    await database.transaction(async (within) => {
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
    });
  }

  // An embedded store that is frozen keeps nothing, and there is nobody to tell: the service runs,
  // and refuses what it would have to write down.
  if (database.frozen === undefined) {
    await readClock();
    await enlist();
    await adopt();
  }

  return {
    get id() {
      return id;
    },
    isCurrent,
    get holdsLease() {
      return isCurrent(id);
    },
    async beat() {
      await readClock();
      const until = now() + ttlMs;
      const alive = await line.run('UPDATE instances SET expires_at = ? WHERE id = ?', [until, id]);
      if (alive > 0) {
        expiresAt = until;
      } else {
        // Taken for dead: what it had is others' now, and under its old name it can change nothing.
        expiresAt = 0;
        id = newId();
        await enlist();
      }
    },
    adopt,
    async leave() {
      await line.run('DELETE FROM instances WHERE id = ?', [id]);
    },
  };
}
