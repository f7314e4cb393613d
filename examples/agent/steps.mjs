import { json } from './settings.mjs';

/**
 * Prints one step as a sentence, or with `--json` as a line of JSON.
 *
 * @param {string} step
 * @param {Record<string, unknown>} facts
 * @param {string} sentence
 */
export function tell(step, facts, sentence) {
  const plain = (_, value) => (typeof value === 'bigint' ? `${value}` : value);
  console.log(json ? JSON.stringify({ step, ...facts }, plain) : sentence);
}

/** Converts a decimal number such as 0.045 to units of 0.0000001. */
export function units(decimal) {
  const [, whole, places = ''] = /^(\d+)(?:\.(\d{1,7}))?$/.exec(decimal) ?? [];
  if (whole === undefined) throw new Error(`${decimal} is no amount of at most 7 places.`);
  return BigInt(whole + places.padEnd(7, '0'));
}

/** Converts such units to a decimal number. */
export function decimal(amount) {
  return `${amount / 10_000_000n}.${String(amount % 10_000_000n).padStart(7, '0')}`;
}
