import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RpcReply } from './scriptedRpc.ts';

/** What happens to one call on its way to a sound server. */
export type Fault =
  /** Instead of the server's answer; the server never sees the call. */
  | RpcReply
  /** The server acts, its answer is lost. */
  | 'lose_answer'
  /** The server acts, and this is changed in its answer. */
  | ((result: Record<string, unknown>) => Record<string, unknown>);

export interface FaultyRpc {
  readonly url: string;
  /** Methods called so far, in order. */
  readonly calls: string[];
  /** Decides about each call from now on; `undefined` lets it through. */
  fault(decide: (method: string) => Fault | undefined): void;
  /** Calls wait for what this gives before they are let through. */
  hold(wait: (method: string) => Promise<void> | undefined): void;
  /** Lets everything through again. */
  heal(): void;
  close(): Promise<void>;
}

interface Forwarded {
  readonly status: number;
  readonly text: string;
}

async function forward(upstream: string, body: string): Promise<Forwarded> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(upstream, { method: 'POST', headers, body });
  return { status: response.status, text: await response.text() };
}

/** Proxies between a facilitator and a network's RPC server, and spoils the calls it is asked to spoil. */
export async function startFaultyRpc(upstream: string): Promise<FaultyRpc> {
  const calls: string[] = [];
  let decide: (method: string) => Fault | undefined = () => undefined;
  let held: (method: string) => Promise<void> | undefined = () => undefined;

  async function serve(body: string, socket: http.IncomingMessage, response: http.ServerResponse) {
    const { id, method } = JSON.parse(body) as { id: unknown; method: string };
    calls.push(method);
    await held(method);
    const fault = decide(method);
    const send = (answer: object) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answer));
    };
    if (fault === undefined) {
      const { status, text } = await forward(upstream, body);
      return response.writeHead(status, { 'content-type': 'application/json' }).end(text);
    }
    if (typeof fault === 'function') {
      const answer = JSON.parse((await forward(upstream, body)).text) as Record<string, unknown>;
      return send({ ...answer, result: fault(answer['result'] as Record<string, unknown>) });
    }
    if (fault === 'lose_answer') {
      await forward(upstream, body);
      return socket.socket.destroy();
    }
    if (fault === 'hang') return;
    if (fault === 'reset') return socket.socket.destroy();
    if ('text' in fault) return response.writeHead(fault.status).end(fault.text);
    send({ jsonrpc: '2.0', id, ...fault });
  }

  const server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      serve(body, request, response).catch(() => request.socket.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    fault(next) {
      decide = next;
    },
    hold(wait) {
      held = wait;
    },
    heal() {
      decide = () => undefined;
      held = () => undefined;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
