/**
 * Why the store did not do what was asked.
 * - `conflict`: a row with this key is there already.
 * - `full`: the disk took no more.
 * - `read_only`: the folder or the file cannot be written.
 * - `corrupt`: the file is damaged or is no database.
 * - `in_use`: another process that runs has the file.
 * - `unreachable`: the server of the database does not answer.
 * - `newer`: a later version of this program wrote it.
 * - `failed`: anything else, said in the message.
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
