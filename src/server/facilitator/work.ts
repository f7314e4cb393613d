/** What is in flight, and whether more is taken. */
export class Work {
  /** Ends when the service stops: then nothing new is begun. */
  running = true;
  readonly #inFlight = new Set<Promise<unknown>>();

  /** Counts work as in flight until it is done. */
  readonly track = <T>(work: Promise<T>): Promise<T> => {
    this.#inFlight.add(work);
    const done = (): boolean => this.#inFlight.delete(work);
    work.then(done, done);
    return work;
  };

  /** Resolves when nothing is in flight any more, what was begun meanwhile included. */
  async ended(): Promise<void> {
    while (this.#inFlight.size > 0) await Promise.allSettled(this.#inFlight);
  }
}
