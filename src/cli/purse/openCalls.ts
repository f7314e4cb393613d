import type { CallEnd } from './paidCall.ts';
import type { Entry } from './receiptBook.ts';

/** A call that has not ended. */
export interface OpenCall {
  /** The payment, once it was sent; `undefined` if the call ends without one. */
  readonly sent: Promise<Entry | undefined>;
  readonly end: Promise<CallEnd>;
}

/**
 * The calls of this process that have not ended, by their arguments. A second call with the same arguments waits for the first
 * one, because both would pay.
 */
export class OpenCalls {
  readonly #open = new Map<string, OpenCall>();

  get(call: string): OpenCall | undefined {
    return this.#open.get(call);
  }

  /** Resolves when every call has ended. */
  async ended(): Promise<void> {
    await Promise.allSettled([...this.#open.values()].map(({ end }) => end));
  }

  /** @param run runs the call, and reports its payment before that is sent */
  begin(call: string, run: (onSent: (entry: Entry) => void) => Promise<CallEnd>): OpenCall {
    let report: (entry: Entry) => void = () => {};
    const reported = new Promise<Entry>((resolve) => {
      report = resolve;
    });
    const end = run(report).finally(() => this.#open.delete(call));
    const none = end.then(
      () => undefined,
      () => undefined,
    );
    const open = { sent: Promise.race([reported, none]), end };
    this.#open.set(call, open);
    return open;
  }
}
