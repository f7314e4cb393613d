import { RpcError } from './rpcError.ts';

/** Messages of JSON-RPC 2.0. */

type RequestId = string | number | null;

export interface RpcRequest {
  /** Undefined for a notification, which is not answered. */
  readonly id: RequestId | undefined;
  readonly method: string;
  readonly params: unknown;
}

/** Reads one call or notification of a request. */
export function parseRequest(request: unknown): RpcRequest | RpcError {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) {
    return new RpcError('invalidRequest', 'request is not a JSON object');
  }
  const { jsonrpc, method, params }: { jsonrpc?: unknown; method?: unknown; params?: unknown } =
    request;
  if (jsonrpc !== '2.0') return new RpcError('invalidRequest', 'invalid version marker');
  if (typeof method !== 'string' || method === '') {
    return new RpcError('invalidRequest', 'empty method name');
  }
  return { id: requestId(request), method, params };
}

/** The id of a call; null for anything that JSON-RPC does not allow. */
export function requestId(request: unknown): RequestId | undefined {
  if (typeof request !== 'object' || request === null || !('id' in request)) return undefined;
  const { id } = request;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

export function errorAnswer(id: RequestId, { code, message, data }: RpcError): object {
  const error = data === undefined ? { code, message } : { code, message, data };
  return { jsonrpc: '2.0', id, error };
}
