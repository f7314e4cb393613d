/** The state cannot be archived. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
  readonly code: 'STATE_TOO_LARGE';

  constructor(code: 'STATE_TOO_LARGE', message: string) {
    super(message);
    this.code = code;
  }
}
