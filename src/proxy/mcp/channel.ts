/** A queue between what sends messages and the one that reads them. */
export class Channel<T> implements AsyncIterable<T> {
  readonly #maxItems: number;
  readonly #items: T[] = [];
  #wake: (() => void) | undefined;
  #ended = false;

  /** @param maxItems that wait to be read; further ones are dropped */
  constructor(maxItems: number) {
    this.#maxItems = maxItems;
  }

  /** Adds an item. @returns whether there was room */
  push(item: T): boolean {
    if (this.#ended || this.#items.length >= this.#maxItems) return false;
    this.#items.push(item);
    this.#wake?.();
    return true;
  }

  /** Ends the queue once what waits was read. */
  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      while (this.#items.length > 0) yield this.#items.shift() as T;
      if (this.#ended) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
