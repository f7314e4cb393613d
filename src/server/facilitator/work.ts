/** Work in flight, and whether more is accepted. */
export class Work {
  /** Aborts when the service stops and accepts no more work. */
  running = true;
  readonly #inFlight = new Set<Promise<unknown>>();

  /** Counts work as in flight until it is done. */
  readonly track = <T>(work: Promise<T>): Promise<T> => {
    this.#inFlight.add(work);
    const done = (): boolean => this.#inFlight.delete(work);
    work.then(done, done);
    return work;
  };

  /** Resolves when nothing is in flight, including work that began meanwhile. */
  async ended(): Promise<void> {
    while (this.#inFlight.size > 0) await Promise.allSettled(this.#inFlight);
  }
}
