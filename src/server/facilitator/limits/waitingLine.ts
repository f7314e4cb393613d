import type { Clock } from '../../clock.ts';

/** A line before one counter: who is first is served until it leaves, then the next. */
export class WaitingLine {
  readonly #clock: Clock;
  readonly #waiting = new Set<() => void>();
  #taken = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether nobody is served and nobody waits. */
  get isEmpty(): boolean {
    return !this.#taken && this.#waiting.size === 0;
  }

  /** @returns false when the turn did not come in time; otherwise `leave` has to follow */
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
