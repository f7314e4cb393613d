import http from 'node:http';
import https from 'node:https';
import { urlToHttpOptions } from 'node:url';
import { RpcError } from './rpcError.ts';

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
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw new RpcError('bad_answer', method, `HTTP ${status} with a body that is not JSON`);
  }
  if (typeof answer !== 'object' || answer === null) {
    throw new RpcError('bad_answer', method, 'the answer is not a JSON-RPC answer');
  }
  if ('error' in answer && typeof answer.error === 'object' && answer.error !== null) {
    const { code, message } = answer.error as { code?: unknown; message?: unknown };
    const number = typeof code === 'number' ? code : undefined;
    throw new RpcError('refused', method, `error ${code}: ${message}`, number);
  }
  if (!('result' in answer)) {
    throw new RpcError('bad_answer', method, 'the answer has neither result nor error');
  }
  return answer.result;
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

  function attempt(method: string, body: string, mayRepeat: boolean): Promise<unknown> {
    return new Promise((resolve, reject) => {
      let written = false;
      const request = send({
        ...target,
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      });
      const fail = (error: RpcError): void => {
        reject(error);
        request.destroy();
      };
      const deadline = setTimeout(
        () => fail(new RpcError(written ? 'timeout' : 'unreachable', method, 'no answer in time')),
        options.timeoutMs,
      );
      request.on('close', () => clearTimeout(deadline));
      request.on('socket', (socket) => {
        // A kept connection is open already; on a new one nothing is written before it connects.
        const sent = (): void => {
          written = true;
        };
        if (socket.connecting) socket.once(secure ? 'secureConnect' : 'connect', sent);
        else sent();
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        if (mayRepeat && request.reusedSocket && error.code === 'ECONNRESET') {
          // The server closed a kept connection just as it was reused: for a reading, ask again.
          resolve(attempt(method, body, false));
          return;
        }
        fail(new RpcError(written ? 'interrupted' : 'unreachable', method, error.message));
      });
      request.on('response', (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > MAX_ANSWER_BYTES) fail(new RpcError('bad_answer', method, 'answer too large'));
          else chunks.push(chunk);
        });
        response.on('error', (error) => fail(new RpcError('interrupted', method, error.message)));
        response.on('end', () => {
          try {
            const text = Buffer.concat(chunks, size).toString('utf8');
            resolve(readAnswer(method, response.statusCode, text));
          } catch (error) {
            reject(error);
          }
        });
      });
      request.end(body);
    });
  }

  const { onCall } = options;
  return {
    async call(method, params) {
      const id = nextId++;
      const body = JSON.stringify({ jsonrpc: '2.0', id, method, ...(params && { params }) });
      const startedAt = performance.now();
      const tell = (outcome: string): void =>
        onCall?.(method, outcome, (performance.now() - startedAt) / 1_000);
      try {
        const result = await attempt(method, body, method !== SUBMISSION);
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
