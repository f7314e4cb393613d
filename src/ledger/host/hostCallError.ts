export type HostCallErrorCode =
  | 'BAD_CONFIG'
  | 'BAD_INPUT'
  | 'NOT_CONFIGURED'
  | 'TRAP'
  | 'BAD_MODULE';

/** A call to the host that its caller got wrong, or a trap in a call that cannot report it otherwise. */
export class HostCallError extends Error {
  readonly code: HostCallErrorCode;

  constructor(code: HostCallErrorCode, message: string) {
    super(message);
    this.name = 'HostCallError';
    this.code = code;
  }
}
