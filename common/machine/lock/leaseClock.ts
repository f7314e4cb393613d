/**
 * Measures elapsed time by whichever of two clocks shows more. The monotonic clock stops while a laptop is suspended,
 * and the wall clock can be set back, so a lease can trust neither alone.
 */
export class LeaseClock {
  readonly #wall = Date.now();
  readonly #monotonic = performance.now();

  /** Milliseconds since this clock was created; `Infinity` if the wall clock was set back before that. */
  elapsed(): number {
    const wall = Date.now() - this.#wall;
    if (wall < 0) return Number.POSITIVE_INFINITY;
    return Math.max(wall, performance.now() - this.#monotonic);
  }
}
