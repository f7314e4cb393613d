/** Maximum number of simultaneous requests to servers that others name. */
const AT_ONCE = 8;
/** Maximum number of refusable requests that wait for a slot. */
const WAITING = 32;

/**
 * Slots for requests to servers that others name. Ownership checks and validations share them, so that nobody can
 * make the service open more connections, and validations delay a check by one request at most.
 */
export class FetchSlots {
  readonly #first: (() => void)[] = [];
  readonly #others: (() => void)[] = [];
  #free = AT_ONCE;

  /** Runs a task in a slot, ahead of all refusable tasks. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    return this.#in(work, this.#first);
  }

  /** Runs a task in a slot, after all earlier ones; `undefined` if too many already wait. */
  async runOrRefuse<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (this.#others.length >= WAITING) return undefined;
    return this.#in(work, this.#others);
  }

  async #in<T>(work: () => Promise<T>, waiting: (() => void)[]): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#first.shift() ?? this.#others.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
