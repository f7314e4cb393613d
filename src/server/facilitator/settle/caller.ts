/** Whoever asked for a settlement and gets its answer. */
export interface Caller {
  /**
   * Resolves with true when the answer was flushed to a connection that was still open, and with
   * false as soon as the connection has ended without it.
   */
  readonly delivered: Promise<boolean>;
}
