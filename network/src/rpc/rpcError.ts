/** The JSON-RPC 2.0 codes that Stellar RPC returns. */
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
  /** The JSON-RPC code. */
  readonly code: number;
  /** Details that the method adds. */
  readonly data: unknown;

  constructor(kind: RpcErrorKind, message: string, data?: unknown) {
    super(message);
    this.kind = kind;
    this.code = RPC_ERROR_CODES[kind];
    this.data = data;
  }
}
