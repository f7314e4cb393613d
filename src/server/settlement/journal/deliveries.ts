import type { Clock } from '../../clock.ts';
import { type Database, StoreError } from '../../store/index.ts';

/**
 * Milliseconds in which deliveries are gathered for one statement. A request for the same payment meanwhile
 * finds it held, as it would if this process ended now.
 */
const GATHER_MS = 10;

/** Records which answers were delivered, those of some milliseconds with one statement. */
export class Deliveries {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #writing = new Set<Promise<boolean>>();
  #ids: string[] = [];
  #next: Promise<boolean> | undefined;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** @returns whether it has been written */
  record(id: string): Promise<boolean> {
    this.#ids.push(id);
    if (this.#next === undefined) {
      const mine = this.#write().finally(() => this.#writing.delete(mine));
      this.#writing.add(mine);
      this.#next = mine;
    }
    return this.#next;
  }

  /** Resolves when everything recorded so far is written or has failed. */
  async flushed(): Promise<void> {
    while (this.#writing.size > 0) await Promise.allSettled(this.#writing);
  }

  async #write(): Promise<boolean> {
    await this.#clock.sleep(GATHER_MS);
    this.#next = undefined;
    const ids = this.#ids;
    this.#ids = [];
    const places = ids.map(() => '?').join(', ');
    try {
      await this.#database.run(
        `UPDATE settlements SET answer = 'given', held_by = NULL,
           request = CASE WHEN state IN ('settled', 'failed') AND catalog <> 'due'
             THEN NULL ELSE request END
         WHERE id IN (${places})`,
        ids,
      );
      return true;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      return false;
    }
  }
}
