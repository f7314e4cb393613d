import type { ClientRequest, RequestOptions } from 'node:http';
import { readJsonRpcAnswer } from '../../protocol/index.ts';
import { RpcError, type RpcErrorCode } from './rpcError.ts';

/** Where calls go, over connections that are kept. */
export interface RpcConnection {
  readonly send: (options: RequestOptions) => ClientRequest;
  readonly target: RequestOptions;
  readonly secure: boolean;
}

export interface RpcCall {
  readonly method: string;
  readonly body: string;
  /** Reading of `performance.now()` at which the call is over, its repetition included. */
  readonly until: number;
  /** Whether it is sent again when the server closed a kept connection just as it was reused. */
  readonly repeats: boolean;
}

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

/** Sends a call once, or twice where it may be repeated; resolves to `result`. @throws RpcError */
export function attemptCall(connection: RpcConnection, call: RpcCall): Promise<unknown> {
  const { method, body, until, repeats } = call;
  return new Promise<unknown>((resolve, reject) => {
    let written = false;
    let over = false;
    const request = connection.send({
      ...connection.target,
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
      if (socket.connecting) socket.once(connection.secure ? 'secureConnect' : 'connect', sent);
      else sent();
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (repeats && request.reusedSocket && error.code === 'ECONNRESET') {
        // The server closed a kept connection just as it was reused: a read is sent again.
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
