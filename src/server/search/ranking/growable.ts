/** A row of 32-bit numbers that grows at its end. */
export class GrowableUint32 {
  #items: Uint32Array;
  length = 0;

  /** @param capacity initial capacity, or the initial items, whose memory becomes the row's */
  constructor(capacity: number | Uint32Array = 4) {
    if (typeof capacity === 'number') {
      this.#items = new Uint32Array(capacity);
    } else {
      this.#items = capacity;
      this.length = capacity.length;
    }
  }

  push(value: number): void {
    if (this.length === this.#items.length) {
      const larger = new Uint32Array(Math.max(1, this.length * 2));
      larger.set(this.#items);
      this.#items = larger;
    }
    this.#items[this.length] = value;
    this.length += 1;
  }

  /** The items so far; do not keep them across a `push`. */
  view(): Uint32Array {
    return this.#items.subarray(0, this.length);
  }

  get bytes(): number {
    return this.#items.byteLength;
  }
}
