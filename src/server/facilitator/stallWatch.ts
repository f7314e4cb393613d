import type { Clock } from '../clock.ts';

const TICK_MS = 100;
/** Collections of garbage and busy machines delay a tick too, by less than this. */
const STALL_MS = 400;
/** After a stall, the requests that had arrived meanwhile are read within this time. */
const READ_WITHIN_MS = 500;

/**
 * Notices when the process stood still for a while: it was stopped, or the machine was suspended. A request
 * that is read after that may have arrived at any time of the stall, in the buffer of its connection.
 */
export class StallWatch {
  readonly #clock: Clock;
  #tickedAt: number;
  #stall = { from: 0, to: Number.NEGATIVE_INFINITY };
  #cancel: () => void = () => undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#tickedAt = clock.elapsed();
    this.#plan();
  }

  /** Earliest time, in milliseconds of the monotonic clock, at which a request that is read now can have arrived. */
  arrivedAt(): number {
    const now = this.#look();
    return now - this.#stall.to <= READ_WITHIN_MS ? this.#stall.from : now;
  }

  stop(): void {
    this.#cancel();
  }

  #plan(): void {
    this.#cancel = this.#clock.after(TICK_MS, () => {
      this.#look();
      this.#plan();
    });
  }

  /** Looks at the clock, also before the first tick after a stall: requests may be read before it. */
  #look(): number {
    const now = this.#clock.elapsed();
    if (now - this.#tickedAt > STALL_MS) this.#stall = { from: this.#tickedAt, to: now };
    this.#tickedAt = now;
    return now;
  }
}
