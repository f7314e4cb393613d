import type { Logger } from '../../logger.ts';
import { DamagedRow } from './listingDocument.ts';

/** Maximum number of rows to remember. */
const MAX_NAMED = 100;

/**
 * The rows of the store that cannot be read. They are left out of every response, so that the others are served; the log names
 * each of them once, and `/health` names them until they can be read again.
 */
export class DamagedRows {
  readonly #reasons = new Map<string, string>();
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** The keys of the rows that it could not read, at most a hundred. */
  get keys(): readonly string[] {
    return [...this.#reasons.keys()];
  }

  /**
   * Reads a row, or notes that it is damaged.
   * @returns undefined for a damaged row
   * @throws what `read` throws, except DamagedRow
   */
  reading<T>(key: string, read: () => T): T | undefined {
    try {
      const value = read();
      if (this.#reasons.size > 0) this.#reasons.delete(key);
      return value;
    } catch (error) {
      if (!(error instanceof DamagedRow)) throw error;
      this.#note(key, error.message);
      return undefined;
    }
  }

  #note(key: string, reason: string): void {
    if (this.#reasons.get(key) === reason) return;
    if (!this.#reasons.has(key) && this.#reasons.size >= MAX_NAMED) return;
    this.#reasons.set(key, reason);
    this.#logger.error({ key, reason }, 'a damaged row of the catalog is left out');
  }
}
