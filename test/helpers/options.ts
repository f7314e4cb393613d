/** An option whose value is none that it takes. `scripts/explainOptions.mjs` ends the program with its message. */
class OptionError extends Error {
  readonly code = 'ERR_PARSE_ARGS_VALUE';
}

/**
 * Reads a whole number. A trial that took "abc" for a number would try nothing, and report that nothing failed.
 * @param name as it is typed: `--seeds`
 * @param least smallest number that is taken
 * @throws an error with the name and the value
 */
export function wholeNumber(name: string, text: string, least = 1): number {
  const value = Number(text);
  if (/^\d{1,15}$/.test(text) && value >= least) return value;
  throw new OptionError(`${name} takes a whole number from ${least}, not ${JSON.stringify(text)}`);
}

/** Reads a number above 0, as `wholeNumber` does. @throws an error with the name and the value */
export function positiveNumber(name: string, text: string): number {
  const value = Number(text);
  if (/^\d{1,15}(?:\.\d{1,9})?$/.test(text) && value > 0) return value;
  throw new OptionError(`${name} takes a number above 0, not ${JSON.stringify(text)}`);
}

/** Reads one of several words. @throws an error with the name, the words and the value */
export function oneOf<T extends string>(name: string, text: string, words: readonly T[]): T {
  const found = words.find((word) => word === text);
  if (found !== undefined) return found;
  throw new OptionError(`${name} takes ${words.join(', ')}, not ${JSON.stringify(text)}`);
}
