import { json } from './settings.mjs';

/**
 * Runs one step, and prints its name, its duration in milliseconds and its result.
 *
 * @template T
 * @param {string} step
 * @param {() => Promise<T>} run
 * @param {(result: T) => Record<string, unknown>} [describe] facts worth printing
 * @returns {Promise<T>}
 */
export async function timed(step, run, describe = () => ({})) {
  const start = performance.now();
  const result = await run();
  report(step, { ms: Math.round((performance.now() - start) * 10) / 10, ...describe(result) });
  return result;
}

/**
 * Prints one step: a line of JSON with `--json`, otherwise a line of text.
 *
 * @param {string} step
 * @param {Record<string, unknown>} facts
 */
export function report(step, facts) {
  if (json) {
    console.log(JSON.stringify({ step, ...facts }));
    return;
  }
  const words = Object.entries(facts).map(([name, value]) =>
    typeof value === 'object' ? `${name} ${JSON.stringify(value)}` : `${name} ${value}`,
  );
  console.log(`${step.padEnd(12)} ${words.join('  ')}`);
}

/**
 * Ends the process with a message instead of a stack trace.
 *
 * @param {unknown} error
 * @returns {never}
 */
export function fail(error) {
  const message = error instanceof Error ? error.message : String(error);
  if (json) report('failed', { message });
  else console.error(message);
  process.exit(1);
}
