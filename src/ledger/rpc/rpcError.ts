/** The codes of JSON-RPC 2.0 that Stellar RPC answers. */
export const RPC_ERROR_CODES = {
  parse: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  limitExceeded: -32_005,
} as const;

export type RpcErrorKind = keyof typeof RPC_ERROR_CODES;

/** A failure of a call, in the form of the response's `error`. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  /** What went wrong, in one word. */
  readonly kind: RpcErrorKind;
  /** The code of JSON-RPC. */
  readonly code: number;
  /** What the method adds to the error. */
  readonly data: unknown;

  constructor(kind: RpcErrorKind, message: string, data?: unknown) {
    super(message);
    this.kind = kind;
    this.code = RPC_ERROR_CODES[kind];
    this.data = data;
  }
}
