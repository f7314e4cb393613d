import type { Clock } from '../../clock.ts';

/** A first-come, first-served queue for one holder at a time. */
export class WaitingLine {
  readonly #clock: Clock;
  readonly #waiting = new Set<() => void>();
  #taken = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether nobody holds a turn or waits for one. */
  get isEmpty(): boolean {
    return !this.#taken && this.#waiting.size === 0;
  }

  /** @returns false if the turn did not come in time; otherwise the caller must call `leave` */
  async enter(waitMs: number): Promise<boolean> {
    if (!this.#taken) {
      this.#taken = true;
      return true;
    }
    return new Promise((resolve) => {
      const serve = (): void => {
        giveUp();
        resolve(true);
      };
      const giveUp = this.#clock.after(waitMs, () => {
        this.#waiting.delete(serve);
        resolve(false);
      });
      this.#waiting.add(serve);
    });
  }

  leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#taken = false;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
