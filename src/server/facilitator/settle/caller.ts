/** The caller that requested a settlement and gets its answer. */
export interface Caller {
  /**
   * Resolves to true when the answer was flushed to a connection that was still open, and to false as
   * soon as the connection has ended without it.
   */
  readonly delivered: Promise<boolean>;
  /** The key of its address (`clientKey`); all callers without one share a line. */
  readonly client?: string | undefined;
}
