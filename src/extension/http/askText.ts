import { type JsonRpcAnswer, jsonRpcCall, readJsonRpcAnswer } from '../../protocol/index.ts';
import type { HttpTransport } from '../../sdk/exact/index.ts';

/** A server's response. */
export interface TextAnswer {
  readonly status: number;
  readonly text: string;
}

/**
 * Sends a request and reads the response as text.
 * @param unreachable creates the error for a server that does not respond; an aborted request throws its own error
 */
export async function askText(
  transport: HttpTransport,
  request: Parameters<HttpTransport>[0],
  unreachable: (cause: unknown) => Error,
): Promise<TextAnswer> {
  try {
    const response = await transport(request);
    return { status: response.status, text: await response.text() };
  } catch (cause) {
    throw request.signal?.aborted ? cause : unreachable(cause);
  }
}

/** A call to a JSON-RPC server. */
interface RpcRequest {
  readonly url: string;
  readonly id: number;
  readonly method: string;
  readonly params: object | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Calls a method of a JSON-RPC server. @param unreachable as for `askText` */
export async function askRpc(
  transport: HttpTransport,
  { url, id, method, params, signal }: RpcRequest,
  unreachable: (cause: unknown) => Error,
): Promise<JsonRpcAnswer> {
  const headers = { 'content-type': 'application/json' };
  const body = jsonRpcCall(id, method, params);
  const request = { method: 'POST', url, headers, body, signal } as const;
  return readJsonRpcAnswer((await askText(transport, request, unreachable)).text, id);
}
