/** Work that has begun and is not over. */
export class WorkUnderWay {
  readonly #underWay = new Set<Promise<unknown>>();

  /** Notes work until it is over. */
  track<T>(work: Promise<T>): Promise<T> {
    this.#underWay.add(work);
    const done = (): boolean => this.#underWay.delete(work);
    work.then(done, done);
    return work;
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
  }
}
