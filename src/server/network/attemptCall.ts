import type { ClientRequest, RequestOptions } from 'node:http';
import { RpcError, type RpcErrorCode } from './rpcError.ts';

/** Destination of calls, over kept-alive connections. */
export interface RpcConnection {
  readonly send: (options: RequestOptions) => ClientRequest;
  readonly target: RequestOptions;
  readonly secure: boolean;
}

export interface RpcRequest {
  /** The method, or methods, that an error names. */
  readonly method: string;
  readonly body: string;
  /** Deadline of the request and its retry, as a reading of `performance.now()`. */
  readonly until: number;
  /** Whether to retry if the server closes a kept-alive connection just as it is reused. */
  readonly repeats: boolean;
}

/** Maximum response size in bytes; no method used here comes near it. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** Statuses for a temporary failure of a server or a gateway. */
const OVERLOADED: ReadonlySet<number | undefined> = new Set([429, 502, 503, 504]);

/** An HTTP response that says something about the calls. */
export interface HttpAnswer {
  readonly status: number | undefined;
  readonly text: string;
}

/** Sends a request, and retries once if that is allowed. @throws RpcError */
export function attemptCall(connection: RpcConnection, call: RpcRequest): Promise<HttpAnswer> {
  const { method, body, until, repeats } = call;
  return new Promise<HttpAnswer>((resolve, reject) => {
    let written = false;
    let over = false;
    const request = connection.send({
      ...connection.target,
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    });
    /** Ends this attempt. Later events of its connection are ignored. */
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
      // A kept-alive connection is already open; a new one writes nothing before it connects.
      const sent = (): void => {
        written = true;
      };
      if (socket.connecting) socket.once(connection.secure ? 'secureConnect' : 'connect', sent);
      else sent();
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (repeats && request.reusedSocket && error.code === 'ECONNRESET') {
        // The server closed a kept-alive connection just as it was reused: retry a read.
        end(() => resolve(attemptCall(connection, { ...call, repeats: false })));
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
          const { statusCode: status } = response;
          if (OVERLOADED.has(status)) reject(new RpcError('overloaded', method, `HTTP ${status}`));
          else resolve({ status, text: Buffer.concat(chunks, size).toString('utf8') });
        }),
      );
    });
    request.end(body);
  });
}
