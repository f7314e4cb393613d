import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody } from '../../../common/machine/readBody.ts';
import type { ControlServer } from '../control/index.ts';
import { isJson, pathOf } from './rpcEndpoint.ts';

const PATHS = new Set(['/control', '/control/']);
/** A dumped state is sent in one request. */
const MAX_BYTES = 256 << 20;

export function isControlRequest({ url = '' }: IncomingMessage): boolean {
  return PATHS.has(pathOf(url));
}

/**
 * Answers a JSON-RPC POST for the control methods. Their caller can do anything to the network, so pages in a browser are
 * refused: the browser sends `Origin`, or otherwise `Sec-Fetch-Site` (W3C Fetch Metadata).
 */
export async function answerControl(
  control: ControlServer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (origin !== undefined || site !== undefined) {
    refuse(response, 403, 'Pages in a browser cannot control the network.');
    return;
  }
  if (request.method !== 'POST') {
    response.setHeader('Allow', 'POST');
    refuse(response, 405, 'Control takes JSON-RPC by POST.');
    return;
  }
  if (!isJson(request)) {
    refuse(response, 415, 'Content-Type must be application/json');
    return;
  }
  const body = await readBody(request, MAX_BYTES);
  if (body.status === 'broken_off') return;
  if (body.status === 'too_large') {
    response.setHeader('Connection', 'close');
    refuse(response, 413, 'Request body is too large');
    return;
  }
  const left = new AbortController();
  response.once('close', () => left.abort());
  const answer = await control.answer(body.text, left.signal);
  if (answer === undefined) response.writeHead(204).end();
  else response.writeHead(200, { 'Content-Type': 'application/json' }).end(answer);
}

function refuse(response: ServerResponse, status: number, why: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${why}\n`);
}
