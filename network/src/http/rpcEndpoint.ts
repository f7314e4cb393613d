import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { readBody } from '../../../common/machine/readBody.ts';
import { LIMITS, type RpcServer } from '../rpc/index.ts';
import { CORS_HEADERS } from './requestHead.ts';

/** The paths of Stellar RPC: as in Stellar Quickstart, and the root, where Horizon does not accept POST. */
const PATHS = new Set(['/', '/rpc', '/rpc/', '/soroban/rpc', '/soroban/rpc/']);

export function isRpcRequest({ method, url = '' }: IncomingMessage): boolean {
  return method === 'POST' && PATHS.has(pathOf(url));
}

/** Whether a request for Stellar RPC has a method that it does not take. The root is Horizon's for other methods. */
export function isMisdirectedRpc({ method, url = '' }: IncomingMessage): boolean {
  const path = pathOf(url);
  return method !== 'POST' && method !== 'OPTIONS' && path !== '/' && PATHS.has(path);
}

/** Answers as a JSON-RPC bridge does. */
export function refuseMethod(response: ServerResponse): void {
  response.writeHead(405, { ...CORS_HEADERS, Allow: 'POST' }).end();
}

/** The path of a request's target, without its query. */
export function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}

export function isJson({ headers }: IncomingMessage): boolean {
  const [mediaType = ''] = (headers['content-type'] ?? '').split(';');
  return mediaType.trim().toLowerCase() === 'application/json';
}

/** Answers a JSON-RPC POST that was meant for this machine. */
export async function answerRpc(
  rpc: RpcServer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!isJson(request)) {
    // A form posted by a page is not accepted: only for JSON does a browser send a preflight request first.
    response.writeHead(415, CORS_HEADERS).end('Content-Type must be application/json\n');
    return;
  }
  const body = await readBody(request, LIMITS.bodyBytes);
  if (body.status === 'broken_off') return;
  if (body.status === 'too_large') {
    response
      .writeHead(413, { ...CORS_HEADERS, Connection: 'close' })
      .end('Request body is too large\n');
    return;
  }
  const { text, delivery } = await rpc.answer(body.text);
  if ('milliseconds' in delivery) {
    const left = new AbortController();
    response.once('close', () => left.abort());
    await setTimeout(delivery.milliseconds, undefined, { signal: left.signal }).catch(() => {});
    if (left.signal.aborted) return;
  }
  if (delivery.kind === 'never') {
    response.destroy();
    return;
  }
  if (delivery.kind === 'unavailable') {
    response.writeHead(503, CORS_HEADERS).end('Service Unavailable\n');
    return;
  }
  if (text === undefined) {
    response.writeHead(204, CORS_HEADERS).end();
    return;
  }
  // Node writes head and body at once if both are text.
  response
    .writeHead(200, {
      ...CORS_HEADERS,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(text),
    })
    .end(text);
}
