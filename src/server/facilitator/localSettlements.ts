/**
 * The settlements that this process has in hand: those that run here, and those whose caller is
 * connected to this process and waits for the answer. The journal holds the same for other
 * processes; here it is known before it is written.
 */
export class LocalSettlements {
  readonly #running = new Set<string>();
  readonly #awaited = new Set<string>();

  /** A settlement begins here, with a caller that waits for it. */
  begin(id: string): void {
    this.#running.add(id);
    this.#awaited.add(id);
  }

  /** It did not begin after all. */
  discard(id: string): void {
    this.#running.delete(id);
    this.#awaited.delete(id);
  }

  isRunning(id: string): boolean {
    return this.#running.has(id);
  }

  startRunning(id: string): void {
    this.#running.add(id);
  }

  stopRunning(id: string): void {
    this.#running.delete(id);
  }

  /** Whether a caller of this process waits for the answer, or has it without a record of that. */
  isAwaited(id: string): boolean {
    return this.#awaited.has(id);
  }

  startAwaiting(id: string): void {
    this.#awaited.add(id);
  }

  stopAwaiting(id: string): void {
    this.#awaited.delete(id);
  }
}
