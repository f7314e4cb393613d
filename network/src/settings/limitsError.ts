/** The limits are not valid for any network. */
export class LimitsError extends Error {
  override readonly name = 'LimitsError';
  readonly code = 'BAD_LIMITS';
}
