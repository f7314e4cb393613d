import type * as z from 'zod/mini';
import { type JsonRpcAnswer, jsonRpcCall, readJsonRpcAnswer } from '../../../common/jsonRpc.ts';
import { ForkError } from './forkError.ts';

const PATIENCE_MILLISECONDS = 15_000;

/** JSON-RPC id of every call; each uses its own HTTP request. */
const ID = 1;

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
    let answer: JsonRpcAnswer;
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: jsonRpcCall(ID, method, params),
        signal: AbortSignal.timeout(PATIENCE_MILLISECONDS),
      });
      answer = readJsonRpcAnswer(await response.text(), ID);
    } catch (cause) {
      throw this.#unreachable(`did not answer ${method}`, cause);
    }
    if (answer.kind === 'malformed')
      throw this.#unreachable(`did not answer ${method} with JSON-RPC`);
    if (answer.kind === 'error') throw this.#unreachable(`rejected ${method}: ${answer.message}`);
    const result = read.safeParse(answer.result);
    if (result.success) return result.data;
    throw this.#unreachable(`returned an unexpected result for ${method}`, result.error);
  }

  #unreachable(what: string, cause?: unknown): ForkError {
    return new ForkError(
      'UNREACHABLE',
      `The RPC server of the forked network, ${this.#url}, ${what}.`,
      cause,
    );
  }
}
