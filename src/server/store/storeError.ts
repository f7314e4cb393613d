/**
 * Why a store operation failed.
 * - `conflict`: a row with this key already exists.
 * - `full`: the disk is full.
 * - `read_only`: the folder or the file is not writable.
 * - `corrupt`: the file is damaged or is not a database.
 * - `in_use`: another running process has the file.
 * - `unreachable`: the server of the database does not answer.
 * - `newer`: a later version of this program wrote it.
 * - `failed`: anything else; the message describes it.
 */
export type StoreErrorCode =
  | 'conflict'
  | 'full'
  | 'read_only'
  | 'corrupt'
  | 'in_use'
  | 'unreachable'
  | 'newer'
  | 'failed';

/** The store did not do what was asked. Carries no values: requests hold signatures. */
export class StoreError extends Error {
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreError';
    this.code = code;
  }

  /** Whether it says that nothing can be kept at present, rather than something of one statement. */
  get freezes(): boolean {
    return this.code !== 'conflict' && this.code !== 'failed';
  }
}
