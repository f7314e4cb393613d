import type { HttpAnswer } from './httpAnswerReader.ts';
import type { RpcConnections } from './rpcConnections.ts';
import { RpcError, type RpcErrorCode } from './rpcError.ts';

export interface RpcRequest {
  /** The method or methods that an error names. */
  readonly method: string;
  readonly body: string;
  /** Deadline of the request and its retry, as a reading of `performance.now()`. */
  readonly until: number;
  /** Whether to retry if the server closes a kept-alive connection just as it is reused. */
  readonly repeats: boolean;
}

/** Statuses for a temporary failure of a server or a gateway. */
const OVERLOADED: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Sends a request, and retries once if that is allowed. @throws RpcError */
export function attemptCall(connections: RpcConnections, call: RpcRequest): Promise<HttpAnswer> {
  const { method, body, until, repeats } = call;
  return new Promise<HttpAnswer>((resolve, reject) => {
    let written = false;
    const fail = (code: RpcErrorCode, detail: string): void => {
      clearTimeout(deadline);
      reject(new RpcError(code, method, detail));
    };
    const deadline = setTimeout(() => {
      giveUp();
      fail(written ? 'timeout' : 'unreachable', 'no answer in time');
    }, until - performance.now());
    const giveUp = connections.send({
      body,
      onSent() {
        written = true;
      },
      onAnswer(answer) {
        clearTimeout(deadline);
        const { status } = answer;
        if (!OVERLOADED.has(status)) return resolve(answer);
        const { retryAfterMs } = answer;
        reject(new RpcError('overloaded', method, `HTTP ${status}`, { status, retryAfterMs }));
      },
      onBroken(detail, isStale) {
        if (repeats && isStale) {
          // The server closed a kept-alive connection just as it was reused: retry a read.
          clearTimeout(deadline);
          resolve(attemptCall(connections, { ...call, repeats: false }));
          return;
        }
        fail(written ? 'interrupted' : 'unreachable', detail);
      },
      onTooLarge: () => fail('bad_answer', 'answer too large'),
    });
  });
}
