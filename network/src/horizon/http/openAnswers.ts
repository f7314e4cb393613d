/** Open answers: streams, and submissions that wait for their ledger. They are ended when the server stops. */
export class OpenAnswers {
  readonly #ends = new Set<() => void>();
  #ended = false;

  /**
   * @param end ends an answer; called at once if all have already been ended
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

  /** Ends all open answers and any later ones. */
  endAll(): void {
    this.#ended = true;
    for (const end of [...this.#ends]) end();
  }
}
