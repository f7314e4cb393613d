import type { RankedEntry } from '../searchIndex.ts';
import { areAlike } from './likeness.ts';

/** Number of consecutive results in which one seller's are counted. */
const WINDOW = 10;
/** Maximum number of them from one recipient, from one origin, or with nearly equal texts, while others are left. */
const MAX_IN_WINDOW = 3;
/** Entries with less standing have not been paid by anybody for long; together they are limited like one seller. */
const ESTABLISHED = 300;
/** The shares of the greatest nearness or points that a result needs to be taken before one that has to wait. */
const COMPARABLE = { nearness: 0.6, points: 0.5 };
/** Number of first results that are spread out: later ones keep their order. */
const SPREAD = 100;
/** Number of results that are looked at for the next ten. */
const AHEAD = 200;
/** Maximum number of a seller's results that a further one is compared with. */
const MAX_COMPARED = 32;

/** A result as the stages found it. */
interface Found {
  readonly entry: RankedEntry;
  readonly points: number | null;
  readonly nearness: number | null;
}

/** A result of a ranking, with the number of results that it represents besides itself. */
interface Represented<T> {
  readonly result: T;
  more: number;
}

/**
 * Combines near-equal results of one seller into the first of them, and spreads out the others, so that no seller has more than
 * three of ten consecutive results while comparable others are left, and newcomers together have no more either. The same ranking
 * always has the same outcome, so pages neither repeat nor lose a result.
 *
 * @param ranked best first
 */
export function spreadOut<T extends Found>(
  ranked: readonly T[],
): readonly { readonly result: T; readonly more: number }[] {
  const combined = combine(ranked);
  if (combined.length <= MAX_IN_WINDOW) return combined;
  const spread: Represented<T>[] = [];
  let rest: readonly Represented<T>[] = combined;
  const isComparable = comparableTo(combined);
  while (spread.length < SPREAD && rest.length > 0) {
    const { taken, left } = nextWindow(rest, isComparable);
    spread.push(...taken);
    rest = left;
  }
  return [...spread, ...rest];
}

/** Leaves out results that are nearly equal to an earlier one of the same recipient and origin, and counts them there. */
function combine<T extends Found>(ranked: readonly T[]): Represented<T>[] {
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
function nextWindow<T extends Found>(
  ranked: readonly Represented<T>[],
  isComparable: (found: Found) => boolean,
): { taken: Represented<T>[]; left: Represented<T>[] } {
  const taken: Represented<T>[] = [];
  const left: Represented<T>[] = [];
  for (const one of ranked.slice(0, AHEAD)) {
    const mayOvertake = left.length === 0 || isComparable(one.result);
    if (taken.length < WINDOW && mayOvertake && fits(one, taken)) taken.push(one);
    else left.push(one);
  }
  const missing = WINDOW - taken.length;
  return {
    taken: [...taken, ...left.slice(0, missing)],
    left: [...left.slice(missing), ...ranked.slice(AHEAD)],
  };
}

/** Returns whether a result is about as relevant as the best ones. */
function comparableTo(ranked: readonly Represented<Found>[]): (found: Found) => boolean {
  let [nearest, most] = [0, 0];
  for (const { result } of ranked) {
    nearest = Math.max(nearest, result.nearness ?? 0);
    most = Math.max(most, result.points ?? 0);
  }
  return ({ nearness, points }) =>
    (nearness ?? 0) >= nearest * COMPARABLE.nearness ||
    (most > 0 && (points ?? 0) >= most * COMPARABLE.points);
}

/** Whether fewer than three of the taken results share the recipient, the origin, nearly the text, or being a newcomer. */
function fits<T extends Found>(
  { result: { entry } }: Represented<T>,
  taken: readonly Represented<T>[],
): boolean {
  let [bySeller, byOrigin, newcomers] = [0, 0, 0];
  const isNew = entry.standing < ESTABLISHED;
  for (const { result } of taken) {
    if (result.entry.seller === entry.seller) bySeller += 1;
    if (result.entry.origin === entry.origin) byOrigin += 1;
    if (isNew && result.entry.standing < ESTABLISHED) newcomers += 1;
  }
  if (Math.max(bySeller, byOrigin, newcomers) >= MAX_IN_WINDOW) return false;
  // Texts are compared only where nothing else decides, since that takes longest.
  let alike = 0;
  for (const { result } of taken) {
    if (areAlike(result.entry.likeness, entry.likeness)) alike += 1;
  }
  return alike < MAX_IN_WINDOW;
}
