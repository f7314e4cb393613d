import { CHARGE_INTENT, STELLAR_METHOD } from './charge.ts';

/** A range of `Accept-Payment` with its weight. */
const RANGE = /^([\w*-]+)\/([\w*-]+)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i;
/** Longer headers are judged by their beginning. */
const MAX_RANGES = 32;

/**
 * Returns whether a client that sent this `Accept-Payment` takes charges on Stellar; `undefined` if it sent none. The most specific
 * range counts, as in `Accept`.
 */
export function acceptsCharge(header: string | undefined): boolean | undefined {
  if (header === undefined) return undefined;
  let best = { rank: -1, weight: 0 };
  for (const text of header.split(',', MAX_RANGES)) {
    const [, method, intent, weight = '1'] = RANGE.exec(text.trim()) ?? [];
    const isMethod = method?.toLowerCase() === STELLAR_METHOD;
    const isIntent = intent?.toLowerCase() === CHARGE_INTENT;
    if ((!isMethod && method !== '*') || (!isIntent && intent !== '*')) continue;
    const rank = (isMethod ? 2 : 0) + (isIntent ? 1 : 0);
    if (rank > best.rank) best = { rank, weight: Number(weight) };
  }
  return best.weight > 0;
}
