/** The configuration is invalid. Each problem is one sentence that says what to do. */
export class ConfigError extends Error {
  readonly code = 'invalid_configuration';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}
