/** A row of 32-bit numbers that grows at its end. */
export class GrowableUint32 {
  #items: Uint32Array;
  length = 0;

  constructor(capacity = 4) {
    this.#items = new Uint32Array(capacity);
  }

  push(value: number): void {
    if (this.length === this.#items.length) {
      const larger = new Uint32Array(this.length * 2);
      larger.set(this.#items);
      this.#items = larger;
    }
    this.#items[this.length] = value;
    this.length += 1;
  }

  /** The items until now; not to be kept across a `push`. */
  view(): Uint32Array {
    return this.#items.subarray(0, this.length);
  }

  get bytes(): number {
    return this.#items.byteLength;
  }
}
