import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a scripted server does with one call. */
export type RpcReply =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } }
  /** Answers with these bytes instead of JSON-RPC. */
  | {
      readonly status: number;
      readonly text: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Closes the connection without an answer. */
  | 'reset'
  /** Never answers. */
  | 'hang';

export type RpcScript = (method: string, params: Record<string, unknown>) => RpcReply;

export interface ScriptedRpc {
  readonly url: string;
  /** Methods called so far, in order. */
  readonly calls: string[];
  /** Requests so far: a batch of calls is one. */
  readonly requests: number;
  close(): Promise<void>;
}

interface Call {
  readonly id: unknown;
  readonly method: string;
  readonly params?: Record<string, unknown>;
}

/**
 * A JSON-RPC server that answers by a script. It replaces a third party's server with a fault that
 * a real network does not show on demand; what a sound network does is tested on one.
 */
export async function startScriptedRpc(script: RpcScript): Promise<ScriptedRpc> {
  const calls: string[] = [];
  let requests = 0;
  const server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      requests += 1;
      const parsed = JSON.parse(body) as Call | Call[];
      const answers: object[] = [];
      for (const { id, method, params } of Array.isArray(parsed) ? parsed : [parsed]) {
        calls.push(method);
        const reply = script(method, params ?? {});
        // What happens to the connection happens to the whole batch.
        if (reply === 'hang') return;
        if (reply === 'reset') {
          request.socket.destroy();
          return;
        }
        if ('text' in reply) {
          response.writeHead(reply.status, reply.headers).end(reply.text);
          return;
        }
        answers.push({ jsonrpc: '2.0', id, ...reply });
      }
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(Array.isArray(parsed) ? answers : answers[0]));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    get requests() {
      return requests;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
