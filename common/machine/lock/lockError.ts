export type LockErrorCode =
  /** Another live process holds the lock. */
  | 'held'
  /** This process held the lock, but another one adopted it while this one was stopped. */
  | 'lost';

/** Why this process does not hold a lock. The message names the holder. */
export class LockError extends Error {
  override readonly name = 'LockError';
  readonly code: LockErrorCode;

  constructor(code: LockErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
