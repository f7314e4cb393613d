/** How long ledgers are read in one go, in milliseconds: others want to be served too. */
export const SLICE = 10;

/** Lets others run from time to time. */
export class Slice {
  #began = performance.now();

  async pause(): Promise<void> {
    if (performance.now() - this.#began < SLICE) return;
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#began = performance.now();
  }
}
