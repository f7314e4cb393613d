/** Limits that no network can have. */
export class LimitsError extends Error {
  override readonly name = 'LimitsError';
  readonly code = 'BAD_LIMITS';
}
