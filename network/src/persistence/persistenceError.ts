export type PersistenceErrorCode =
  /** Another process holds the data folder, or adopted it while this one was stopped. */
  | 'FOLDER_IN_USE'
  /** The folder contains a network with another passphrase, seed or layout. */
  | 'OTHER_NETWORK'
  /** The network in the folder runs a later protocol than the requested one. */
  | 'NEWER_PROTOCOL'
  /** The content of a file differs from what was written to it. */
  | 'DAMAGED';

/** Why a data folder cannot be used. The message says what to do. */
export class PersistenceError extends Error {
  override readonly name = 'PersistenceError';
  readonly code: PersistenceErrorCode;

  constructor(code: PersistenceErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
