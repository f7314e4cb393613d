export type HostCallErrorCode =
  | 'BAD_CONFIG'
  | 'BAD_INPUT'
  | 'NOT_CONFIGURED'
  | 'TRAP'
  | 'BAD_MODULE';

/** An invalid call to the host, or a trap in a call that cannot report it otherwise. */
export class HostCallError extends Error {
  readonly code: HostCallErrorCode;

  constructor(code: HostCallErrorCode, message: string) {
    super(message);
    this.name = 'HostCallError';
    this.code = code;
  }
}
