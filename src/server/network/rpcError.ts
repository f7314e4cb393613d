/**
 * Why a call to the ledger failed.
 * - `unreachable`: no connection, or it broke before the request was written, so nothing arrived.
 * - `interrupted`: the request was written but no complete response arrived, so it may have taken effect.
 * - `timeout`: like `interrupted`, because the time limit was exceeded.
 * - `overloaded`: the server, or a gateway before it, answered HTTP 429, 502, 503 or 504.
 * - `limited`: not sent, because the server's limit of calls is used up for longer than the call may wait.
 * - `bad_answer`: the response is not a JSON-RPC response of the expected shape.
 * - `refused`: the server answered with a JSON-RPC error.
 */
export type RpcErrorCode =
  | 'unreachable'
  | 'interrupted'
  | 'timeout'
  | 'overloaded'
  | 'limited'
  | 'bad_answer'
  | 'refused';

/** JSON-RPC's internal error, and the range it reserves for servers' own errors. */
const INTERNAL = -32_603;
const SERVER_ERRORS = { from: -32_099, to: -32_000 } as const;

/** A call to the Stellar RPC server failed. Carries no request data: requests hold signatures. */
export class RpcError extends Error {
  readonly code: RpcErrorCode;
  readonly method: string;
  /** JSON-RPC error code, for `refused`. */
  readonly rpcCode: number | undefined;
  /** For `limited` and `overloaded`: milliseconds after which the server accepts calls again, if that is known. */
  readonly retryAfterMs: number | undefined;
  /** HTTP status, for `overloaded`. */
  readonly status: number | undefined;

  constructor(
    code: RpcErrorCode,
    method: string,
    detail: string,
    more: {
      readonly rpcCode?: number | undefined;
      readonly retryAfterMs?: number | undefined;
      readonly status?: number;
    } = {},
  ) {
    super(`${method}: ${detail}`);
    this.name = 'RpcError';
    this.code = code;
    this.method = method;
    this.rpcCode = more.rpcCode;
    this.retryAfterMs = more.retryAfterMs;
    this.status = more.status;
  }

  /** Whether the server certainly never saw the request. */
  get neverArrived(): boolean {
    return this.code === 'unreachable' || this.code === 'limited';
  }

  /**
   * Whether the same call may succeed a moment later (spec: Limits/Transient-failure retry): no
   * connection, no complete response in time, an overloaded server, or one that reports an internal
   * error. A malformed response, or one that rejects the request, will not change.
   */
  get transient(): boolean {
    switch (this.code) {
      case 'bad_answer':
      // Its caller was to be refused at once.
      case 'limited':
        return false;
      case 'refused': {
        const number = this.rpcCode ?? 0;
        return number === INTERNAL || (number >= SERVER_ERRORS.from && number <= SERVER_ERRORS.to);
      }
      default:
        return true;
    }
  }
}
