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
  /** Methods of each request so far: a batch has several. */
  readonly requests: (readonly string[])[];
  /** Decides about each call from now on; `undefined` lets it through. */
  fault(decide: (method: string) => Fault | undefined): void;
  /** Calls wait for what this gives before they are let through. */
  hold(wait: (method: string) => Promise<void> | undefined): void;
  /** Lets everything through again. */
  heal(): void;
  close(): Promise<void>;
}

interface Call {
  readonly id: unknown;
  readonly method: string;
  readonly params?: unknown;
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
  const requests: (readonly string[])[] = [];
  let decide: (method: string) => Fault | undefined = () => undefined;
  let held: (method: string) => Promise<void> | undefined = () => undefined;

  /** What becomes of one call: an answer, bytes instead of one, or the end of the connection. */
  async function outcomeOf(
    call: Call,
  ): Promise<{ answer: object } | { status: number; text: string } | 'reset' | 'hang'> {
    const { id, method } = call;
    calls.push(method);
    await held(method);
    const fault = decide(method);
    const pass = () => forward(upstream, JSON.stringify(call));
    if (fault === undefined) {
      const { status, text } = await pass();
      return status === 200 ? { answer: JSON.parse(text) } : { status, text };
    }
    if (typeof fault === 'function') {
      const answer = JSON.parse((await pass()).text) as Record<string, unknown>;
      return { answer: { ...answer, result: fault(answer['result'] as Record<string, unknown>) } };
    }
    if (fault === 'lose_answer') {
      await pass();
      return 'reset';
    }
    if (typeof fault === 'string' || 'text' in fault) return fault;
    return { answer: { jsonrpc: '2.0', id, ...fault } };
  }

  async function serve(body: string, socket: http.IncomingMessage, response: http.ServerResponse) {
    const parsed = JSON.parse(body) as Call | Call[];
    const batch = Array.isArray(parsed) ? parsed : [parsed];
    requests.push(batch.map(({ method }) => method));
    const answers: object[] = [];
    for (const call of batch) {
      const outcome = await outcomeOf(call);
      // What happens to the connection happens to the whole batch.
      if (outcome === 'hang') return;
      if (outcome === 'reset') return void socket.socket.destroy();
      if ('text' in outcome) return void response.writeHead(outcome.status).end(outcome.text);
      answers.push(outcome.answer);
    }
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(Array.isArray(parsed) ? answers : answers[0]));
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
    requests,
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
