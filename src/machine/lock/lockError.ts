export type LockErrorCode =
  /** Another live process holds the lock. */
  | 'held'
  /** This process held the lock, and another one adopted it while this one was stopped. */
  | 'lost';

/** Why a lock is not this process's. The message names the holder. */
export class LockError extends Error {
  override readonly name = 'LockError';
  readonly code: LockErrorCode;

  constructor(code: LockErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
