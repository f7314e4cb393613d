/** Time until a write is flushed to the disk. */
const PERIOD_MS = 2_000;

export interface DiskSteps {
  /** Flushes the log in the background. Its contents then survive a power failure. */
  readonly flushLog: () => Promise<void>;
  /** Moves the log into the file and flushes both. This blocks the process. */
  readonly checkpoint: () => Promise<void>;
}

/**
 * Flushes writes to the disk: the log while writes continue, the database file once they stop. A checkpoint blocks the process
 * for tens of milliseconds, which a busy facilitator would meet every two seconds; flushing the log does not block it.
 * A failed step is repeated after the next write; until then, the operating system has the data.
 */
export class DiskWrites {
  readonly #steps: DiskSteps;
  #timer: NodeJS.Timeout | undefined;
  #written = false;

  constructor(steps: DiskSteps) {
    this.#steps = steps;
  }

  noteWrite(): void {
    this.#written = true;
    if (this.#timer === undefined) this.#plan();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #plan(): void {
    this.#timer = setTimeout(() => this.#step(), PERIOD_MS).unref();
  }

  #step(): void {
    this.#timer = undefined;
    const { flushLog, checkpoint } = this.#steps;
    const step = this.#written ? flushLog : checkpoint;
    if (this.#written) this.#plan();
    this.#written = false;
    step().catch(() => undefined);
  }
}
