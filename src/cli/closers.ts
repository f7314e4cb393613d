interface Closable {
  close(): Promise<void> | void;
}

/** Everything that a command has opened, closed in reverse order however the command ends. */
export class Closers {
  readonly #open: Closable[] = [];

  add<T extends Closable>(closable: T): T {
    this.#open.push(closable);
    return closable;
  }

  /** Closes everything, even if some of it fails, and then throws the first failure. */
  async closeAll(): Promise<void> {
    const failures: unknown[] = [];
    for (let next = this.#open.pop(); next; next = this.#open.pop()) {
      try {
        await next.close();
      } catch (failure) {
        failures.push(failure);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
