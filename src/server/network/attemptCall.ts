import type { ClientRequest, RequestOptions } from 'node:http';
import { readJsonRpcAnswer } from '../../protocol/index.ts';
import { RpcError, type RpcErrorCode } from './rpcError.ts';

/** Destination of calls, over kept-alive connections. */
export interface RpcConnection {
  readonly send: (options: RequestOptions) => ClientRequest;
  readonly target: RequestOptions;
  readonly secure: boolean;
}

export interface RpcCall {
  readonly method: string;
  /** JSON-RPC id of the call. */
  readonly id: number;
  readonly body: string;
  /** Deadline of the call and its retry, as a reading of `performance.now()`. */
  readonly until: number;
  /** Whether to retry if the server closes a kept-alive connection just as it is reused. */
  readonly repeats: boolean;
}

/** Maximum response size in bytes; no method used here comes near it. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** Statuses for a temporary failure of a server or a gateway. */
const OVERLOADED: ReadonlySet<number | undefined> = new Set([429, 502, 503, 504]);

function readAnswer({ method, id }: RpcCall, status: number | undefined, text: string): unknown {
  if (OVERLOADED.has(status)) throw new RpcError('overloaded', method, `HTTP ${status}`);
  const answer = readJsonRpcAnswer(text, id);
  switch (answer.kind) {
    case 'result':
      return answer.result;
    case 'error':
      throw new RpcError('refused', method, `error ${answer.code}: ${answer.message}`, answer.code);
    case 'malformed':
      throw new RpcError('bad_answer', method, `HTTP ${status} ${answer.why}`);
  }
}

/** Sends a call, and retries once if that is allowed; resolves to `result`. @throws RpcError */
export function attemptCall(connection: RpcConnection, call: RpcCall): Promise<unknown> {
  const { method, body, until, repeats } = call;
  return new Promise<unknown>((resolve, reject) => {
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
          try {
            const text = Buffer.concat(chunks, size).toString('utf8');
            resolve(readAnswer(call, response.statusCode, text));
          } catch (error) {
            reject(error);
          }
        }),
      );
    });
    request.end(body);
  });
}
