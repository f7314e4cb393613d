import {
  type JsonRpcAnswer,
  jsonRpcBatch,
  jsonRpcCall,
  readJsonRpcAnswer,
  readJsonRpcBatch,
} from '../../protocol/index.ts';
import type { HttpAnswer } from './httpAnswerReader.ts';
import { openConnections, type RpcConnections } from './rpcConnections.ts';
import { RpcError, type RpcErrorCode } from './rpcError.ts';

interface RpcRequest {
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
function attemptCall(connections: RpcConnections, call: RpcRequest): Promise<HttpAnswer> {
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

export interface TransportOptions {
  readonly url: string;
  /** PEM of a certificate authority to trust in addition to the system's, for `https:` URLs. */
  readonly certificateAuthority: string | null;
  readonly timeoutMs: number;
  /** Maximum number of open connections; further calls wait for one. */
  readonly maxConnections: number;
  /** Called after every call with its method, `ok` or the code of its error, and its duration in seconds. */
  readonly onCall?: (method: string, outcome: string, seconds: number) => void;
}

/** A read-only call. */
export interface ReadingCall {
  readonly method: string;
  readonly params: object | undefined;
}

export interface JsonRpcTransport {
  /** Sends one JSON-RPC call and returns `result`, not parsed. Rejects with RpcError. */
  call(method: string, params: object | undefined): Promise<unknown>;
  /**
   * Sends read-only calls, as one batch if the server supports batches. Each call has its own result, and fails on its own
   * unless the whole request fails.
   */
  callTogether(calls: readonly ReadingCall[]): readonly Promise<unknown>[];
  close(): void;
}

/**
 * The only method that changes something. The response to a repeated call depends on the outcome of the first one, so the
 * caller decides whether to repeat it (`settlement/send.ts`).
 */
export const SUBMISSION = 'sendTransaction';

/** Maximum response size in bytes; no method used here comes near it. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** How long to wait before sending a batch again to a server that does not support batches. */
const NO_BATCHES_MS = 60_000;

/** Returns the result of a call. @throws RpcError */
function resultOf(method: string, { status }: HttpAnswer, answer: JsonRpcAnswer): unknown {
  switch (answer.kind) {
    case 'result':
      return answer.result;
    case 'error':
      throw new RpcError('refused', method, `error ${answer.code}: ${answer.message}`, {
        rpcCode: answer.code,
      });
    case 'malformed':
      throw new RpcError('bad_answer', method, `HTTP ${status} ${answer.why}`);
  }
}

/**
 * JSON-RPC 2.0 over HTTP or HTTPS with connections kept alive. One settlement makes several calls, so the important
 * points are the cost of a call on a warm connection, and knowing whether a failed request was written.
 */
export function createJsonRpcTransport(options: TransportOptions): JsonRpcTransport {
  const connections = openConnections({
    url: new URL(options.url),
    certificateAuthority: options.certificateAuthority,
    maxConnections: options.maxConnections,
    maxAnswerBytes: MAX_ANSWER_BYTES,
  });
  let nextId = 1;
  let batchesFrom = Number.NEGATIVE_INFINITY;

  const { onCall } = options;
  /** Awaits the result of a call, and reports how it ended. */
  async function telling<T>(method: string, startedAt: number, run: () => Promise<T>): Promise<T> {
    const tell = (outcome: string): void =>
      onCall?.(method, outcome, (performance.now() - startedAt) / 1_000);
    try {
      const result = await run();
      tell('ok');
      return result;
    } catch (error) {
      tell(error instanceof RpcError ? error.code : 'unexpected');
      throw error;
    }
  }

  function call(method: string, params: object | undefined): Promise<unknown> {
    const startedAt = performance.now();
    return telling(method, startedAt, async () => {
      const id = nextId++;
      const body = jsonRpcCall(id, method, params);
      const until = startedAt + options.timeoutMs;
      const repeats = method !== SUBMISSION;
      const answer = await attemptCall(connections, { method, body, until, repeats });
      return resultOf(method, answer, readJsonRpcAnswer(answer.text, id));
    });
  }

  /** Sends a batch; returns `undefined` if the server does not support batches. */
  async function sendBatch(
    calls: readonly ReadingCall[],
    until: number,
  ): Promise<readonly (() => unknown)[] | undefined> {
    const numbered = calls.map((one) => ({ ...one, id: nextId++ }));
    const method = [...new Set(calls.map((one) => one.method))].join(' and ');
    const body = jsonRpcBatch(numbered);
    const answer = await attemptCall(connections, { method, body, until, repeats: true });
    const answers = readJsonRpcBatch(
      answer.text,
      numbered.map(({ id }) => id),
    );
    if (answers === undefined) batchesFrom = performance.now() + NO_BATCHES_MS;
    return answers?.map((one, at) => () => resultOf(calls[at]?.method ?? method, answer, one));
  }

  return {
    call,
    callTogether(calls) {
      const startedAt = performance.now();
      if (calls.length < 2 || startedAt < batchesFrom) {
        return calls.map(({ method, params }) => call(method, params));
      }
      const batch = sendBatch(calls, startedAt + options.timeoutMs);
      return calls.map(async ({ method, params }, at) => {
        // The response of a server that does not support batches says nothing about the calls.
        const refusedBatch = batch.then((results) => results === undefined);
        if (await refusedBatch.catch(() => false)) return call(method, params);
        return telling(method, startedAt, async () => (await batch)?.[at]?.());
      });
    },
    close: () => connections.close(),
  };
}
