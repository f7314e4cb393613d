/** The caller that requested a settlement and gets its answer. */
export interface Caller {
  /**
   * Resolves to true when the answer was flushed to a connection that was still open, and to false as
   * soon as the connection has ended without it.
   */
  readonly delivered: Promise<boolean>;
  /** Under which key the sponsor's spending for this caller is counted; `undefined` within this process. */
  readonly client?: string | undefined;
}
