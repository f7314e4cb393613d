/** Answers that stay open: streams, and submissions that wait for their ledger. Who stops serving ends them. */
export class OpenAnswers {
  readonly #ends = new Set<() => void>();
  #ended = false;

  /**
   * @param end ends an answer; called at once where all have ended already
   * @returns the function to call when it has ended by itself
   */
  open(end: () => void): () => void {
    if (this.#ended) {
      end();
      return () => {};
    }
    this.#ends.add(end);
    return () => this.#ends.delete(end);
  }

  /** Ends all there are, and all that come. */
  endAll(): void {
    this.#ended = true;
    for (const end of [...this.#ends]) end();
  }
}
