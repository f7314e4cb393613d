import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a scripted server does with one call. */
export type RpcReply =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } }
  /** Answers with these bytes instead of JSON-RPC. */
  | { readonly status: number; readonly text: string }
  /** Closes the connection without an answer. */
  | 'reset'
  /** Never answers. */
  | 'hang';

export type RpcScript = (method: string, params: Record<string, unknown>) => RpcReply;

export interface ScriptedRpc {
  readonly url: string;
  /** Methods called so far, in order. */
  readonly calls: string[];
  close(): Promise<void>;
}

/**
 * A JSON-RPC server that answers by a script. It replaces a third party's server with a fault that
 * a real network does not show on demand; what a sound network does is tested on one.
 */
export async function startScriptedRpc(script: RpcScript): Promise<ScriptedRpc> {
  const calls: string[] = [];
  const server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const { id, method, params } = JSON.parse(body);
      calls.push(method);
      const reply = script(method, params ?? {});
      if (reply === 'hang') return;
      if (reply === 'reset') {
        request.socket.destroy();
        return;
      }
      if ('text' in reply) {
        response.writeHead(reply.status).end(reply.text);
        return;
      }
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...reply }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
