import http from 'node:http';
import https from 'node:https';
import { urlToHttpOptions } from 'node:url';
import { jsonRpcCall } from '../../protocol/index.ts';
import { attemptCall } from './attemptCall.ts';
import { RpcError } from './rpcError.ts';

export interface TransportOptions {
  readonly url: string;
  /** PEM of a certificate authority to trust beside the system's, for `https:` URLs. */
  readonly certificateAuthority: string | null;
  readonly timeoutMs: number;
  /** Open connections at most; further calls wait for one. */
  readonly maxConnections: number;
  /** Called after every call with its method, `ok` or the code of its error, and its duration in seconds. */
  readonly onCall?: (method: string, outcome: string, seconds: number) => void;
}

/** Sends one JSON-RPC call and returns `result`, not parsed. */
export interface JsonRpcTransport {
  call(method: string, params: object | undefined): Promise<unknown>;
  close(): void;
}

/**
 * The only method that changes something. The response to a repetition depends on the outcome of the
 * first call, so the caller decides whether to repeat it (`settlement/send.ts`).
 */
const SUBMISSION = 'sendTransaction';

/**
 * JSON-RPC 2.0 over HTTP or HTTPS with connections kept alive. Written on `node:http` because one
 * settlement makes half a dozen calls to a server that may be in the same process: the important points
 * are the cost of a call on a warm connection, and knowing whether a failed request was written.
 */
export function createJsonRpcTransport(options: TransportOptions): JsonRpcTransport {
  const url = new URL(options.url);
  const secure = url.protocol === 'https:';
  const pool = {
    keepAlive: true,
    noDelay: true,
    maxSockets: options.maxConnections,
    scheduling: 'lifo',
  } as const;
  const trust = options.certificateAuthority === null ? {} : { ca: options.certificateAuthority };
  const agent = secure ? new https.Agent({ ...pool, ...trust }) : new http.Agent(pool);
  const connection = {
    send: secure ? https.request : http.request,
    // Parsed once, because a URL would be converted to options for each request.
    target: { ...urlToHttpOptions(url), agent, method: 'POST' },
    secure,
  };
  let nextId = 1;

  const { onCall } = options;
  return {
    async call(method, params) {
      const id = nextId++;
      const body = jsonRpcCall(id, method, params);
      const startedAt = performance.now();
      const until = startedAt + options.timeoutMs;
      const tell = (outcome: string): void =>
        onCall?.(method, outcome, (performance.now() - startedAt) / 1_000);
      try {
        const repeats = method !== SUBMISSION;
        const result = await attemptCall(connection, { method, id, body, until, repeats });
        tell('ok');
        return result;
      } catch (error) {
        tell(error instanceof RpcError ? error.code : 'unexpected');
        throw error;
      }
    },
    close: () => agent.destroy(),
  };
}
