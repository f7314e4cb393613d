import type { RequestId } from '@modelcontextprotocol/server';
import type { Handover } from './purse.ts';

/** Answers that were written, whose requests a late cancellation may still name. */
const MAX_WRITTEN = 100;
/** A client that does not read must not block its next call. */
const SETTLED_WITHIN_MS = 2_000;

/**
 * Which answers the client took. An answer is taken once it is written while the client has not cancelled the request; if a
 * cancellation arrives after it, the two crossed, and the client did not read the answer.
 */
export class Handovers {
  readonly #expected = new Map<RequestId, Handover>();
  readonly #written = new Map<RequestId, Handover>();
  #pending: Promise<void> = Promise.resolve();

  /** Remembers what to record once the request is answered. */
  expect(id: RequestId, handover: Handover): void {
    this.#expected.set(id, handover);
  }

  /** @param written resolves with whether the answer reached the client's end of the pipe */
  answering(id: RequestId, written: Promise<boolean>): void {
    const handover = this.#expected.get(id);
    if (handover === undefined) return;
    this.#expected.delete(id);
    this.#follow(async () => {
      if (!(await written)) return;
      this.#written.set(id, handover);
      const [oldest] = this.#written.keys();
      if (this.#written.size > MAX_WRITTEN && oldest !== undefined) this.#written.delete(oldest);
      await handover.taken();
    });
  }

  cancelled(id: RequestId): void {
    this.#expected.delete(id);
    this.#follow(async () => {
      const handover = this.#written.get(id);
      this.#written.delete(id);
      await handover?.lost();
    });
  }

  /** Resolves when what is known of earlier answers is recorded. */
  async settled(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, SETTLED_WITHIN_MS);
    });
    await Promise.race([this.#pending, limit]);
    clearTimeout(timer);
  }

  #follow(record: () => Promise<void>): void {
    this.#pending = this.#pending.then(record).catch((error: unknown) => {
      process.stderr.write(`What became of an answer cannot be recorded: ${String(error)}\n`);
    });
  }
}
