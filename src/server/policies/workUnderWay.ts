/** Work in progress. */
export class WorkUnderWay {
  readonly #underWay = new Set<Promise<unknown>>();

  /** Tracks work until it ends. */
  track<T>(work: Promise<T>): Promise<T> {
    this.#underWay.add(work);
    const done = (): boolean => this.#underWay.delete(work);
    work.then(done, done);
    return work;
  }

  /** Resolves when no work is in progress. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
  }
}
