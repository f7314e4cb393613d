/** Milliseconds of reading after which other requests are served. */
export const SLICE = 10;

/** Yields to other work from time to time. */
export class Slice {
  #began = performance.now();

  async pause(): Promise<void> {
    if (performance.now() - this.#began < SLICE) return;
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#began = performance.now();
  }
}
