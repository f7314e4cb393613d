/** Milliseconds that calls can use in a turn of the event loop. */
const SLICE = 10;

/**
 * Shares the thread among all requests. Once the time of a turn of the event loop is used up, a request with more work queues
 * for its own turn. Between turns, the server reads connections and answers other requests.
 */
export class Turns {
  #began: number | undefined;
  /** Calls that had their turn in this turn of the event loop. */
  #calls = 0;
  #line: Promise<void> = Promise.resolve();

  /** Resolves at once, or when it is the caller's turn. */
  async next(): Promise<void> {
    this.#calls += 1;
    if (this.#began === undefined) {
      this.#begin();
      return;
    }
    if (performance.now() - this.#began < SLICE) return;
    this.#line = this.#line.then(() => this.#turn());
    await this.#line;
  }

  /** Whether another call had its turn in this turn of the event loop. */
  get shared(): boolean {
    return this.#calls > 1;
  }

  #turn(): Promise<void> {
    return new Promise((resolve) => {
      setImmediate(() => {
        this.#begin();
        resolve();
      });
    });
  }

  #begin(): void {
    this.#calls = 1;
    const began = performance.now();
    this.#began = began;
    setImmediate(() => {
      if (this.#began === began) this.#began = undefined;
    });
  }
}
