/** Work that is done a few pieces at a time, in the order in which it came, until it is stopped. */
export class CheckQueue {
  readonly #waiting: (() => Promise<void>)[] = [];
  readonly #running = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #limits: { readonly atOnce: number; readonly waiting: number };

  constructor(limits: { readonly atOnce: number; readonly waiting: number }) {
    this.#limits = limits;
  }

  /** Aborted once the queue is stopped. */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Pieces of work that wait or are under way. */
  get size(): number {
    return this.#waiting.length + this.#running.size;
  }

  /** Queues work, unless as much as may waits already. @param work never rejects */
  add(work: () => Promise<void>): void {
    if (this.#waiting.length >= this.#limits.waiting || this.signal.aborted) return;
    this.#waiting.push(work);
    this.#fill();
  }

  /** Resolves when nothing waits or is under way. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Forgets what waits, aborts what is under way and waits for its end. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#waiting.length = 0;
    await Promise.all(this.#running);
  }

  #fill(): void {
    while (this.#running.size < this.#limits.atOnce && !this.signal.aborted) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      const work = next().finally(() => {
        this.#running.delete(work);
        this.#fill();
      });
      this.#running.add(work);
    }
  }
}
