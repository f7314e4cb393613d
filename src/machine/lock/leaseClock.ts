/**
 * How long something lasted, by whichever clock says more. The monotonic clock stands still while a laptop is suspended,
 * and the wall clock can be set back; a lease may trust neither alone.
 */
export class LeaseClock {
  readonly #wall = Date.now();
  readonly #monotonic = performance.now();

  /** Milliseconds since this clock was made; endless when the wall clock was set back before that. */
  elapsed(): number {
    const wall = Date.now() - this.#wall;
    if (wall < 0) return Number.POSITIVE_INFINITY;
    return Math.max(wall, performance.now() - this.#monotonic);
  }
}
