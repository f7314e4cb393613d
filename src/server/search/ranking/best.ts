/** Whether the candidate `a` comes before `b`; a total order, so that results are deterministic. */
export type Before = (a: number, b: number) => boolean;

/**
 * Keeps the first `count` of many candidates in an order, without sorting them all: a heap whose root is the last kept one.
 */
export class Best {
  readonly #heap: number[] = [];
  readonly #count: number;
  readonly #before: Before;

  constructor(count: number, before: Before) {
    this.#count = count;
    this.#before = before;
  }

  offer(candidate: number): void {
    const heap = this.#heap;
    if (heap.length < this.#count) {
      heap.push(candidate);
      this.#up(heap.length - 1);
    } else if (heap.length > 0 && this.#before(candidate, heap[0] ?? candidate)) {
      heap[0] = candidate;
      this.#down();
    }
  }

  /** Returns the kept candidates, first to last. */
  sorted(): number[] {
    return [...this.#heap].sort((a, b) => (this.#before(a, b) ? -1 : this.#before(b, a) ? 1 : 0));
  }

  #up(start: number): void {
    let at = start;
    const heap = this.#heap;
    const moved = heap[at] ?? 0;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent] ?? 0;
      if (!this.#before(above, moved)) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = moved;
  }

  #down(): void {
    const heap = this.#heap;
    const moved = heap[0] ?? 0;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && this.#before(heap[child] ?? 0, heap[child + 1] ?? 0))
        child += 1;
      const below = heap[child] ?? 0;
      if (!this.#before(moved, below)) break;
      heap[at] = below;
      at = child;
    }
    heap[at] = moved;
  }
}
