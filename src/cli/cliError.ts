/**
 * A failure whose message is all that a person needs. `usage` is the caller's mistake (options,
 * environment, a folder that cannot be used), `fault` an error that nothing handled, `failed` is
 * everything else.
 */
export class CliError extends Error {
  readonly code: 'usage' | 'failed' | 'fault';

  constructor(code: CliError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CliError';
    this.code = code;
  }
}
