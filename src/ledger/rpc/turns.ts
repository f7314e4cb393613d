/** Milliseconds that calls may use in a turn of the event loop. */
const SLICE = 10;

/**
 * Shares the thread among all requests. When a turn of the event loop is used up, a request with more work queues for a
 * turn of its own. Between turns, the server reads connections and answers other requests.
 */
export class Turns {
  #began: number | undefined;
  #line: Promise<void> = Promise.resolve();

  /** Resolves at once, or when the caller's turn has come. */
  async next(): Promise<void> {
    if (this.#began === undefined) {
      this.#begin();
      return;
    }
    if (performance.now() - this.#began < SLICE) return;
    this.#line = this.#line.then(() => this.#turn());
    await this.#line;
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
    const began = performance.now();
    this.#began = began;
    setImmediate(() => {
      if (this.#began === began) this.#began = undefined;
    });
  }
}
