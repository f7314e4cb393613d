import type { RankedEntry } from '../searchIndex.ts';
import { areAlike } from './likeness.ts';

/** Number of consecutive results in which one seller's are counted. */
const WINDOW = 10;
/** Maximum number of them from one recipient, from one origin, or with nearly equal texts, while others are left. */
const MAX_IN_WINDOW = 3;
/** Number of first results that are spread out: later ones keep their order. */
const SPREAD = 100;
/** Maximum number of a seller's results that a further one is compared with. */
const MAX_COMPARED = 32;

/** A result of a ranking, with the number of results that it represents besides itself. */
interface Represented<T> {
  readonly result: T;
  more: number;
}

/**
 * Combines near-equal results of one seller into the first of them, and spreads out the others, so that no seller has more than
 * three of ten consecutive results while others are left. The same ranking always has the same outcome, so pages neither repeat
 * nor lose a result.
 *
 * @param ranked best first
 */
export function spreadOut<T extends { readonly entry: RankedEntry }>(
  ranked: readonly T[],
): readonly { readonly result: T; readonly more: number }[] {
  const combined = combine(ranked);
  if (combined.length <= MAX_IN_WINDOW) return combined;
  const spread: Represented<T>[] = [];
  let rest: readonly Represented<T>[] = combined;
  while (spread.length < SPREAD && rest.length > 0) {
    const { taken, left } = nextWindow(rest);
    spread.push(...taken);
    rest = left;
  }
  return [...spread, ...rest];
}

/** Leaves out results that are nearly equal to an earlier one of the same recipient and origin, and counts them there. */
function combine<T extends { readonly entry: RankedEntry }>(
  ranked: readonly T[],
): Represented<T>[] {
  const bySeller = new Map<number, Represented<T>[]>();
  const combined: Represented<T>[] = [];
  for (const result of ranked) {
    const { seller, origin, likeness } = result.entry;
    let known = bySeller.get(seller);
    if (known === undefined) {
      known = [];
      bySeller.set(seller, known);
    }
    const same = known.find(
      (one) => one.result.entry.origin === origin && areAlike(one.result.entry.likeness, likeness),
    );
    if (same !== undefined) {
      same.more += 1;
      continue;
    }
    const represented = { result, more: 0 };
    combined.push(represented);
    if (known.length < MAX_COMPARED) known.push(represented);
  }
  return combined;
}

/** Takes the next results: the best that no limit keeps out, then the best of the others. */
function nextWindow<T extends { readonly entry: RankedEntry }>(
  ranked: readonly Represented<T>[],
): { taken: Represented<T>[]; left: Represented<T>[] } {
  const taken: Represented<T>[] = [];
  const left: Represented<T>[] = [];
  for (const one of ranked) {
    if (taken.length < WINDOW && fits(one, taken)) taken.push(one);
    else left.push(one);
  }
  const missing = WINDOW - taken.length;
  return { taken: [...taken, ...left.slice(0, missing)], left: left.slice(missing) };
}

function fits<T extends { readonly entry: RankedEntry }>(
  { result: { entry } }: Represented<T>,
  taken: readonly Represented<T>[],
): boolean {
  let [bySeller, byOrigin, alike] = [0, 0, 0];
  for (const { result } of taken) {
    if (result.entry.seller === entry.seller) bySeller += 1;
    if (result.entry.origin === entry.origin) byOrigin += 1;
    if (areAlike(result.entry.likeness, entry.likeness)) alike += 1;
  }
  return Math.max(bySeller, byOrigin, alike) < MAX_IN_WINDOW;
}
