import * as z from 'zod/mini';
import { ForkError } from './forkError.ts';

const PATIENCE_MILLISECONDS = 15_000;

const envelope = z.object({
  result: z.optional(z.unknown()),
  error: z.optional(z.object({ message: z.string() })),
});

/** Stellar RPC of another network. */
export class RemoteRpc {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /**
   * Calls a method and reads its result.
   * @throws ForkError `UNREACHABLE`
   */
  async call<T>(method: string, params: object, read: z.ZodMiniType<T>): Promise<T> {
    let answer: z.infer<typeof envelope>;
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        signal: AbortSignal.timeout(PATIENCE_MILLISECONDS),
      });
      answer = envelope.parse(await response.json());
    } catch (cause) {
      throw this.#unreachable(`does not answer ${method}`, cause);
    }
    if (answer.error !== undefined) {
      throw this.#unreachable(`refuses ${method}: ${answer.error.message}`);
    }
    const result = read.safeParse(answer.result);
    if (result.success) return result.data;
    throw this.#unreachable(`answers ${method} with something else`, result.error);
  }

  #unreachable(what: string, cause?: unknown): ForkError {
    return new ForkError('UNREACHABLE', `The network to be forked, ${this.#url}, ${what}.`, cause);
  }
}
