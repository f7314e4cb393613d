import {
  type Database,
  type Queryable,
  type SqlValue,
  StoreError,
} from '../../src/server/store/index.ts';
import type { Life, SimWorld } from './simWorld.ts';

/** How the disk behaves at present. */
export interface DiskMood {
  /** Of all statements: those at which the process ends, before or after them. */
  killAtWrite: number;
  /** Of all statements: those that the disk refuses. */
  full: number;
}

/** Rolls a transaction back when its process ends in it. */
class Ended extends Error {}

/** The store as one run of the process sees it: what is written stays when the process does not. */
export function simDatabase(
  database: Database,
  world: SimWorld,
  life: Life,
  mood: DiskMood,
  kill: () => void,
  /** Called with each hash that is in the journal, before its transaction may leave. */
  onSubmitting: (hash: SqlValue | undefined) => void,
  /** Called when the delivery of an answer could not be recorded. */
  onUnrecorded: () => void,
): Database {
  const { random } = world;

  async function around<T>(run: () => Promise<T>, inside: boolean): Promise<T> {
    const end = (): Promise<T> => {
      if (!life.dead) kill();
      if (inside) throw new Ended();
      return life.never();
    };
    if (life.dead) return end();
    if (random.chance(mood.full)) throw new StoreError('full', 'the disk is full');
    if (random.chance(mood.killAtWrite)) {
      if (random.chance(0.5)) await run();
      return end();
    }
    const result = await run();
    return life.dead ? end() : result;
  }

  const wrap = (on: Queryable, inside: boolean): Queryable => ({
    dialect: on.dialect,
    all: <Row extends object>(sql: string, params?: readonly SqlValue[]) =>
      around(() => on.all<Row>(sql, params), inside),
    run: (sql, params) =>
      around(async () => {
        const changed = await on.run(sql, params);
        if (changed > 0 && sql.includes("SET state = 'submitting'")) onSubmitting(params?.[0]);
        return changed;
      }, inside).catch((error: unknown) => {
        if (sql.includes("SET answer = 'given'")) onUnrecorded();
        throw error;
      }),
  });

  return {
    ...wrap(database, false),
    get frozen() {
      return database.frozen;
    },
    async transaction(work) {
      if (life.dead) return life.never();
      try {
        return await database.transaction((within) => work(wrap(within, true)));
      } catch (error) {
        if (error instanceof Ended) return life.never();
        throw error;
      }
    },
    async close() {},
  };
}
