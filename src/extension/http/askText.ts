import { type JsonRpcAnswer, readJsonRpcAnswer } from '../../protocol/index.ts';
import type { HttpTransport } from '../../sdk/exact/index.ts';

/** A server's response. */
export interface TextAnswer {
  readonly status: number;
  readonly text: string;
}

/**
 * Sends a request and reads the response as text.
 * @param unreachable creates the error for a server that does not answer; an aborted request throws its own
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

/** Calls a method of a JSON-RPC server. @param unreachable as for `askText` */
export async function askRpc(
  transport: HttpTransport,
  { url, body, signal }: { url: string; body: string; signal: AbortSignal | undefined },
  unreachable: (cause: unknown) => Error,
): Promise<JsonRpcAnswer> {
  const headers = { 'content-type': 'application/json' };
  const request = { method: 'POST', url, headers, body, signal } as const;
  return readJsonRpcAnswer((await askText(transport, request, unreachable)).text);
}
