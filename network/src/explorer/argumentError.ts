/** A text is not a value of the type that a contract function takes. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError';
  readonly code = 'BAD_ARGUMENT';
}
