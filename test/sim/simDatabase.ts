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

/** Rows of each table at one moment. */
interface StoreCopy {
  readonly at: number;
  readonly tables: ReadonlyMap<string, readonly Readonly<Record<string, SqlValue>>[]>;
}

const MAX_COPIES = 60;
const LEAST_COPY_MS = 500;

/** Copies of a store, made again and again, of which a restart may find an older one in its place. */
export class StoreCopies {
  readonly #store: Database;
  readonly #world: SimWorld;
  readonly #chance: number;
  readonly #mostMs: number;
  #copies: StoreCopy[] = [];

  constructor(
    store: Database,
    world: SimWorld,
    { chance, mostMs }: { readonly chance: number; readonly mostMs: number },
  ) {
    this.#store = store;
    this.#world = world;
    this.#chance = chance;
    this.#mostMs = mostMs;
    if (chance > 0) this.#copyLater();
  }

  #copyLater(): void {
    const every = Math.max(LEAST_COPY_MS, this.#mostMs / MAX_COPIES);
    this.#world.after(every, () => {
      void this.#copy().finally(() => this.#copyLater());
    });
  }

  async #copy(): Promise<void> {
    const at = this.#world.now;
    const tables = await this.#store.transaction(async (within) => {
      const names = await within.all<{ name: string }>(
        `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'`,
      );
      const copied = new Map<string, Record<string, SqlValue>[]>();
      for (const { name } of names) copied.set(name, await within.all(`SELECT * FROM ${name}`));
      return copied;
    });
    this.#copies = [...this.#copies.filter((one) => one.at > at - this.#mostMs), { at, tables }];
  }

  /**
   * Puts an older copy in the place of the store, if chance will have it.
   * @returns when it was made
   */
  async setBack(): Promise<number | undefined> {
    const { random, now } = this.#world;
    const recent = this.#copies.filter(({ at }) => at > now - this.#mostMs);
    if (recent.length === 0 || !random.chance(this.#chance)) return undefined;
    const { at, tables } = random.pick(recent);
    this.#world.note(`the store is set back by ${now - at} ms`);
    await this.#store.transaction(async (within) => {
      for (const [name, rows] of tables) {
        await within.run(`DELETE FROM ${name}`);
        for (const row of rows) {
          const columns = Object.keys(row);
          const marks = columns.map(() => '?').join();
          await within.run(
            `INSERT INTO ${name} (${columns.join()}) VALUES (${marks})`,
            Object.values(row),
          );
        }
      }
    });
    this.#copies = this.#copies.filter((one) => one.at <= at);
    return at;
  }
}
