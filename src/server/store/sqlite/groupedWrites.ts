import type { SqlValue } from '../database.ts';
import { StoreError } from '../storeError.ts';

/** Steps on the connection. Each is done when its call returns, and throws StoreError. */
export interface WriteSteps {
  /** Runs a statement and returns how many rows it changed. */
  change(sql: string, params: readonly SqlValue[]): number;
  /** Called after changes were committed. */
  stored(): void;
  /** Ends the transaction in progress, if there is one, without its changes. */
  rollback(): void;
  /** Runs `step` when no transaction of another caller is in progress. */
  inTurn(step: () => void): Promise<void>;
}

interface Write {
  readonly sql: string;
  readonly params: readonly SqlValue[];
  readonly resolve: (changes: number) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Commits the changes of one turn of the event loop together. A commit writes each changed page to the log, and the pages
 * of settlements that run side by side are mostly the same. A caller learns of its change after the commit, so each state
 * is still stored before the step that it permits.
 */
export class GroupedWrites {
  readonly #steps: WriteSteps;
  #waiting: Write[] = [];

  constructor(steps: WriteSteps) {
    this.#steps = steps;
  }

  /** Runs a statement with the others of this turn. Rejects with StoreError, if it fails itself or nothing can be stored. */
  run(sql: string, params: readonly SqlValue[]): Promise<number> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) {
        setImmediate(() => void this.#steps.inTurn(() => this.store()));
      }
      this.#waiting.push({ sql, params, resolve, reject });
    });
  }

  /** Stores what waits, at once. Call it before anything that has to see it, while no transaction is in progress. */
  store(): void {
    const writes = this.#waiting;
    this.#waiting = [];
    if (writes.length > 1 && this.#storeTogether(writes)) return;
    for (const { sql, params, resolve, reject } of writes) {
      try {
        const changes = this.#steps.change(sql, params);
        this.#steps.stored();
        resolve(changes);
      } catch (error) {
        reject(error);
      }
    }
  }

  /** @returns false if nothing was stored: then each statement has to show by itself what fails */
  #storeTogether(writes: readonly Write[]): boolean {
    const { change, stored, rollback } = this.#steps;
    const tell: (() => void)[] = [];
    try {
      change('BEGIN IMMEDIATE', []);
      for (const write of writes) tell.push(this.#attempt(write));
      change('COMMIT', []);
    } catch {
      try {
        rollback();
      } catch {
        // The lock on the file is lost, which the first statement shows again.
      }
      return false;
    }
    stored();
    for (const one of tell) one();
    return true;
  }

  /** Runs one statement of a group. A conflict undoes only that statement; any other failure ends the group. */
  #attempt({ sql, params, resolve, reject }: Write): () => void {
    try {
      const changes = this.#steps.change(sql, params);
      return () => resolve(changes);
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'conflict') throw error;
      return () => reject(error);
    }
  }
}
