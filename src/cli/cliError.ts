/**
 * A failure that is reported by its message alone. `usage` is the caller's mistake (options,
 * environment, a folder that cannot be used), `fault` is an unhandled error, and `failed` is everything else.
 */
export class CliError extends Error {
  readonly code: 'usage' | 'failed' | 'fault';

  constructor(code: CliError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CliError';
    this.code = code;
  }
}
