import { LIMITS } from './limits.ts';
import { RpcError } from './rpcError.ts';
import { RPC_METHODS } from './rpcMethods.ts';
import type { RpcNetwork } from './rpcNetwork.ts';
import { RpcParams } from './rpcParams.ts';

type RequestId = string | number | null;

/** JSON-RPC 2.0 over the methods of Stellar RPC, whatever carries it. */
export class RpcServer {
  readonly #network: RpcNetwork;
  readonly #onFault: (fault: Error) => void;

  /** @param onFault told of errors that a caller only learns the existence of */
  constructor(network: RpcNetwork, onFault: (fault: Error) => void) {
    this.#network = network;
    this.#onFault = onFault;
  }

  /** Calls one method. @throws RpcError */
  call(method: string, params?: unknown): unknown {
    const run = RPC_METHODS.get(method);
    if (run === undefined) throw new RpcError('methodNotFound', 'method not found', method);
    try {
      return run(this.#network, new RpcParams(params));
    } catch (error) {
      if (error instanceof RpcError) throw error;
      const fault = error instanceof Error ? error : new Error(String(error));
      this.#onFault(fault);
      throw new RpcError('internal', fault.message);
    }
  }

  /**
   * Answers the text of a request, single or a batch.
   * @returns undefined when nothing in it wants an answer
   */
  answer(body: string): string | undefined {
    let request: unknown;
    try {
      request = JSON.parse(body);
    } catch {
      return JSON.stringify(errorAnswer(null, new RpcError('parse', 'invalid JSON')));
    }
    if (!Array.isArray(request)) {
      const answer = this.#answerOne(request);
      return answer && JSON.stringify(answer);
    }
    if (request.length === 0 || request.length > LIMITS.batchCalls) {
      const why = request.length === 0 ? 'empty request batch' : 'too many calls in a batch';
      return JSON.stringify(errorAnswer(null, new RpcError('invalidRequest', why)));
    }
    const answers = request.map((one) => this.#answerOne(one)).filter((one) => one !== undefined);
    return answers.length === 0 ? undefined : JSON.stringify(answers);
  }

  #answerOne(request: unknown): object | undefined {
    const parsed = parse(request);
    if (parsed instanceof RpcError) return errorAnswer(idOf(request) ?? null, parsed);
    const { id, method, params } = parsed;
    try {
      const result = this.call(method, params);
      return id === undefined ? undefined : { jsonrpc: '2.0', id, result };
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      return id === undefined ? undefined : errorAnswer(id, error);
    }
  }
}

interface RpcRequest {
  /** Undefined for a notification, which gets no answer. */
  readonly id: RequestId | undefined;
  readonly method: string;
  readonly params: unknown;
}

function parse(request: unknown): RpcRequest | RpcError {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) {
    return new RpcError('invalidRequest', 'request is not a JSON object');
  }
  const { jsonrpc, method, params }: { jsonrpc?: unknown; method?: unknown; params?: unknown } =
    request;
  if (jsonrpc !== '2.0') return new RpcError('invalidRequest', 'invalid version marker');
  if (typeof method !== 'string' || method === '') {
    return new RpcError('invalidRequest', 'empty method name');
  }
  return { id: idOf(request), method, params };
}

function idOf(request: unknown): RequestId | undefined {
  if (typeof request !== 'object' || request === null || !('id' in request)) return undefined;
  const { id } = request;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

function errorAnswer(id: RequestId, { code, message, data }: RpcError): object {
  const error = data === undefined ? { code, message } : { code, message, data };
  return { jsonrpc: '2.0', id, error };
}
