import { json } from './settings.mjs';

/**
 * Tells one step: a sentence to read, or with `--json` a line of its facts.
 *
 * @param {string} step
 * @param {Record<string, unknown>} facts
 * @param {string} sentence
 */
export function tell(step, facts, sentence) {
  const plain = (_, value) => (typeof value === 'bigint' ? `${value}` : value);
  console.log(json ? JSON.stringify({ step, ...facts }, plain) : sentence);
}

/** Units of 0.0000001 of a decimal number such as 0.045. */
export function units(decimal) {
  const [, whole, places = ''] = /^(\d+)(?:\.(\d{1,7}))?$/.exec(decimal) ?? [];
  if (whole === undefined) throw new Error(`${decimal} is no amount of at most 7 places.`);
  return BigInt(whole + places.padEnd(7, '0'));
}

/** The same as people write it. */
export function decimal(amount) {
  return `${amount / 10_000_000n}.${String(amount % 10_000_000n).padStart(7, '0')}`;
}
