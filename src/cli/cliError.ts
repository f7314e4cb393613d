/**
 * A failure whose message is all that a person needs. `usage` is the caller's mistake (options,
 * environment, a folder that cannot be used), `failed` is everything else.
 */
export class CliError extends Error {
  readonly code: 'usage' | 'failed';

  constructor(code: CliError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CliError';
    this.code = code;
  }
}
