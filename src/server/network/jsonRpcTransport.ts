import http from 'node:http';
import https from 'node:https';
import { urlToHttpOptions } from 'node:url';
import { jsonRpcCall, readJsonRpcAnswer } from '../../protocol/index.ts';
import { RpcError, type RpcErrorCode } from './rpcError.ts';

export interface TransportOptions {
  readonly url: string;
  /** PEM of a certificate authority to trust beside the system's, for `https:` URLs. */
  readonly certificateAuthority: string | null;
  readonly timeoutMs: number;
  /** Open connections at most; further calls wait for one. */
  readonly maxConnections: number;
  /** Told of every call: its method, `ok` or the code of its error, and how many seconds it took. */
  readonly onCall?: (method: string, outcome: string, seconds: number) => void;
}

/** Sends one JSON-RPC call and gives back `result`, unread. */
export interface JsonRpcTransport {
  call(method: string, params: object | undefined): Promise<unknown>;
  close(): void;
}

/**
 * The one method that does something. What its repetition answers depends on what became of the
 * first, so whoever calls it decides about that (`settlement/send.ts`).
 */
const SUBMISSION = 'sendTransaction';

/** An answer of more bytes than this is refused: no method used here comes near it. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** Statuses by which a server or a gateway says that it cannot now. */
const OVERLOADED: ReadonlySet<number | undefined> = new Set([429, 502, 503, 504]);

function readAnswer(method: string, status: number | undefined, text: string): unknown {
  if (OVERLOADED.has(status)) throw new RpcError('overloaded', method, `HTTP ${status}`);
  const answer = readJsonRpcAnswer(text);
  switch (answer.kind) {
    case 'result':
      return answer.result;
    case 'error':
      throw new RpcError('refused', method, `error ${answer.code}: ${answer.message}`, answer.code);
    case 'malformed':
      throw new RpcError('bad_answer', method, `HTTP ${status} ${answer.why}`);
  }
}

/**
 * JSON-RPC 2.0 over HTTP or HTTPS with connections kept alive. Written on `node:http` because one
 * settlement makes half a dozen calls to a server that may be in the same process: what counts is
 * the cost of a call on a warm connection, and knowing whether a failed request was written.
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
  const send = secure ? https.request : http.request;
  // Read once: from a URL each request would make its options anew.
  const target = { ...urlToHttpOptions(url), agent, method: 'POST' };
  let nextId = 1;

  /** @param until reading of `performance.now()` at which the call is over, its repetition included */
  function attempt(method: string, body: string, until: number, repeats: boolean) {
    return new Promise<unknown>((resolve, reject) => {
      let written = false;
      let over = false;
      const request = send({
        ...target,
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      });
      /** Ends this attempt. What its connection does later concerns nobody. */
      const end = (settle: () => void): void => {
        if (over) return;
        over = true;
        clearTimeout(deadline);
        settle();
      };
      const fail = (code: RpcErrorCode, detail: string): void =>
        end(() => {
          reject(new RpcError(code, method, detail));
          request.destroy();
        });
      const deadline = setTimeout(
        () => fail(written ? 'timeout' : 'unreachable', 'no answer in time'),
        until - performance.now(),
      );
      request.on('socket', (socket) => {
        // A kept connection is open already; on a new one nothing is written before it connects.
        const sent = (): void => {
          written = true;
        };
        if (socket.connecting) socket.once(secure ? 'secureConnect' : 'connect', sent);
        else sent();
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        if (repeats && request.reusedSocket && error.code === 'ECONNRESET') {
          // The server closed a kept connection just as it was reused: a read is sent again.
          end(() => resolve(attempt(method, body, until, false)));
          return;
        }
        fail(written ? 'interrupted' : 'unreachable', error.message);
      });
      request.on('response', (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > MAX_ANSWER_BYTES) fail('bad_answer', 'answer too large');
          else chunks.push(chunk);
        });
        response.on('error', (error) => fail('interrupted', error.message));
        response.on('end', () =>
          end(() => {
            try {
              const text = Buffer.concat(chunks, size).toString('utf8');
              resolve(readAnswer(method, response.statusCode, text));
            } catch (error) {
              reject(error);
            }
          }),
        );
      });
      request.end(body);
    });
  }

  const { onCall } = options;
  return {
    async call(method, params) {
      const body = jsonRpcCall(nextId++, method, params);
      const startedAt = performance.now();
      const until = startedAt + options.timeoutMs;
      const tell = (outcome: string): void =>
        onCall?.(method, outcome, (performance.now() - startedAt) / 1_000);
      try {
        const result = await attempt(method, body, until, method !== SUBMISSION);
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
