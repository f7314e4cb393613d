/**
 * Why a call to the ledger gave no answer.
 * - `unreachable`: no connection, or it broke before the request was written: nothing arrived.
 * - `interrupted`: the request was written and no whole answer came: it may have been acted on.
 * - `timeout`: as `interrupted`, after the time limit.
 * - `bad_answer`: something answered that is not a JSON-RPC answer of the expected shape.
 * - `refused`: the server answered with a JSON-RPC error.
 */
export type RpcErrorCode = 'unreachable' | 'interrupted' | 'timeout' | 'bad_answer' | 'refused';

/** A call to the Stellar RPC server failed. Carries no request data: requests hold signatures. */
export class RpcError extends Error {
  readonly code: RpcErrorCode;
  readonly method: string;
  /** JSON-RPC error number, for `refused`. */
  readonly rpcCode: number | undefined;

  constructor(code: RpcErrorCode, method: string, detail: string, rpcCode?: number) {
    super(`${method}: ${detail}`);
    this.name = 'RpcError';
    this.code = code;
    this.method = method;
    this.rpcCode = rpcCode;
  }

  /** Whether the server certainly never saw the request. */
  get neverArrived(): boolean {
    return this.code === 'unreachable';
  }

  /** Whether the same call may succeed a moment later. */
  get transient(): boolean {
    return this.code !== 'bad_answer' && this.code !== 'refused';
  }
}
