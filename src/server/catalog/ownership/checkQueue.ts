/** A queue that runs a few tasks at a time, in order of arrival, until it is stopped. */
export class CheckQueue {
  readonly #waiting: (() => Promise<void>)[] = [];
  readonly #running = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #limits: { readonly atOnce: number; readonly waiting: number };

  constructor(limits: { readonly atOnce: number; readonly waiting: number }) {
    this.#limits = limits;
  }

  /** Aborts when the queue stops. */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Number of tasks that wait or run. */
  get size(): number {
    return this.#waiting.length + this.#running.size;
  }

  /** Queues a task, unless the queue is full. @param work never rejects */
  add(work: () => Promise<void>): void {
    if (this.#waiting.length >= this.#limits.waiting || this.signal.aborted) return;
    this.#waiting.push(work);
    this.#fill();
  }

  /** Resolves when no task waits or runs. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Drops waiting tasks, aborts running ones and waits for them to end. */
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
