/** Requests to servers of strangers that are under way at once. */
const AT_ONCE = 8;
/** Refusable requests that wait for one of them. */
const WAITING = 32;

/**
 * Places for requests to servers that strangers name. Ownership checks and validations share them, so that nobody makes
 * the service open more connections than these, and validations never delay a check by more than one request.
 */
export class FetchSlots {
  readonly #first: (() => void)[] = [];
  readonly #others: (() => void)[] = [];
  #free = AT_ONCE;

  /** Runs work in a place, ahead of all refusable work. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    return this.#in(work, this.#first);
  }

  /** Runs work in a place after all that came before; `undefined` where too much waits already. */
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
