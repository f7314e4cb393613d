import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { readBody } from '../../../common/machine/readBody.ts';
import type { ControlServer } from '../control/index.ts';
import { LIMITS, type RpcServer } from '../rpc/index.ts';
import { answeredByHead, refusedByHost } from './requestHead.ts';
import {
  answerRpc,
  isJson,
  isMisdirectedRpc,
  isRpcRequest,
  pathOf,
  refuseMethod,
} from './rpcEndpoint.ts';

const PATHS = new Set(['/control', '/control/']);
/** A dumped state is sent in one request. */
const MAX_BYTES = 256 << 20;

function isControlRequest({ url = '' }: IncomingMessage): boolean {
  return PATHS.has(pathOf(url));
}

/**
 * Answers a JSON-RPC POST for the control methods. Their caller can do anything to the network, so pages in a browser are
 * refused: the browser sends `Origin`, or otherwise `Sec-Fetch-Site` (W3C Fetch Metadata).
 */
async function answerControl(
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

/** Maximum number of waiting requests on a connection before reading from it pauses. */
const MAX_WAITING = 8;

type Start = () => void;

/**
 * Answers the requests of a connection one after the other. A client can send many without reading an answer (pipelining). A
 * request is not processed until the previous answer is sent, so that unread answers do not pile up.
 */
export function inTurn(listener: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, Start[]>();
  const start = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    response.once('close', () => {
      const queue = waiting.get(socket) ?? [];
      const next = socket.destroyed ? undefined : queue.shift();
      if (next === undefined) waiting.delete(socket);
      else next();
      if (queue.length < MAX_WAITING && socket.isPaused()) socket.resume();
    });
    listener(request, response);
  };
  return (request, response) => {
    const { socket } = request;
    const queue = waiting.get(socket);
    if (queue === undefined) {
      waiting.set(socket, []);
      start(request, response);
      return;
    }
    queue.push(() => start(request, response));
    if (queue.length >= MAX_WAITING) socket.pause();
  };
}

/**
 * Handles all requests on the port: Stellar RPC, control, and everything else.
 *
 * RPC calls do not go through Hono, because they are what a developer waits for and need neither routing nor `Request` objects.
 *
 * @param host the address besides the loopback interface on which the server listens
 * @param answerOther answers everything else; the body of a request is in its `rawBody`
 */
export function ledgerListener(
  rpc: RpcServer,
  control: ControlServer,
  answerOther: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  onFault: (fault: Error) => void,
  host?: string,
): RequestListener {
  const end = (request: IncomingMessage, response: ServerResponse, error: unknown): void => {
    if (!response.writableEnded) response.destroy();
    // A client that disconnects in the middle of a request is not an error of the network.
    if (!request.destroyed) onFault(error instanceof Error ? error : new Error(String(error)));
  };
  const answerRest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      const body = await readBody(request, LIMITS.bodyBytes);
      if (body.status === 'broken_off') return;
      if (body.status === 'too_large') {
        response.writeHead(413, { Connection: 'close' }).end('Request body is too large\n');
        return;
      }
      // Hono's adapter expects a body that was already read here.
      Object.assign(request, { rawBody: Buffer.from(body.text) });
    }
    await answerOther(request, response);
  };
  return inTurn((request, response) => {
    if (isRpcRequest(request)) {
      if (refusedByHost(request, response, host)) return;
      answerRpc(rpc, request, response).catch((error: unknown) => end(request, response, error));
      return;
    }
    const isControl = isControlRequest(request);
    if (answeredByHead(request, response, !isControl, host)) return;
    if (isControl) {
      answerControl(control, request, response).catch((error: unknown) =>
        end(request, response, error),
      );
      return;
    }
    if (isMisdirectedRpc(request)) {
      refuseMethod(response);
      return;
    }
    answerRest(request, response).catch((error: unknown) => end(request, response, error));
  });
}
