import type { Clock } from '../../clock.ts';

const FAILURES = 3;
const HELD_BACK_MS = 30_000;

/**
 * Blocks calls after several consecutive failures, then lets one through as a probe (closed → open →
 * probing). So queries do not wait for a provider that is down, and calls do not keep it from recovering.
 */
export class CircuitBreaker {
  readonly #clock: Clock;
  #failures = 0;
  #openUntil = 0;
  #probing = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  state(): 'closed' | 'open' | 'probing' {
    if (this.#failures < FAILURES) return 'closed';
    return this.#probing ? 'probing' : 'open';
  }

  /** Whether a call may be made now. The caller must report the outcome of an admitted call. */
  admit(): boolean {
    if (this.#failures < FAILURES) return true;
    if (this.#probing || this.#clock.elapsed() < this.#openUntil) return false;
    this.#probing = true;
    return true;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#probing = false;
  }

  failed(): void {
    this.#failures += 1;
    this.#probing = false;
    if (this.#failures >= FAILURES) this.#openUntil = this.#clock.elapsed() + HELD_BACK_MS;
  }
}
