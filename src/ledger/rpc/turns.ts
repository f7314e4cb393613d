/** Milliseconds that calls may take in a turn of the event loop before everybody else gets theirs. */
const SLICE = 10;

/**
 * Shares the thread between all requests: whoever has more to do once a turn of the event loop is used up waits in line for
 * a turn of its own. In between, connections are read and everything else is answered.
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
