import type { xdr } from '@stellar/stellar-sdk';

/** The condition for claiming a claimable balance, in Horizon's form. */
export interface PredicateText {
  readonly unconditional?: true;
  readonly and?: readonly PredicateText[];
  readonly or?: readonly PredicateText[];
  readonly not?: PredicateText;
  /** RFC 3339. */
  readonly abs_before?: string;
  /** Seconds since 1970. */
  readonly abs_before_epoch?: string;
  /** Seconds since the balance was created. */
  readonly rel_before?: string;
}

export function predicateText(predicate: xdr.ClaimPredicate): PredicateText {
  switch (predicate.type) {
    case 'claimPredicateUnconditional':
      return { unconditional: true };
    case 'claimPredicateAnd':
      return { and: predicate.andPredicates.map(predicateText) };
    case 'claimPredicateOr':
      return { or: predicate.orPredicates.map(predicateText) };
    case 'claimPredicateNot':
      return predicate.notPredicate === null ? {} : { not: predicateText(predicate.notPredicate) };
    case 'claimPredicateBeforeAbsoluteTime':
      return {
        abs_before: dateText(predicate.absBefore),
        abs_before_epoch: String(predicate.absBefore),
      };
    case 'claimPredicateBeforeRelativeTime':
      return { rel_before: String(predicate.relBefore) };
  }
}

const DAY = 86_400n;
/** Days of 400 years, after which the calendar repeats itself. */
const CYCLE_DAYS = 146_097n;

/** Any moment in seconds since 1970 as RFC 3339; years beyond 9999 get a sign, as in ISO 8601. */
function dateText(seconds: bigint): string {
  const cycle = CYCLE_DAYS * DAY;
  const cycles = seconds / cycle;
  const date = new Date(Number(seconds - cycles * cycle) * 1_000);
  const year = BigInt(date.getUTCFullYear()) + cycles * 400n;
  const rest = date
    .toISOString()
    .replace(/^[+-]?\d+/, '')
    .slice(0, -5);
  return `${year > 9999n ? '+' : ''}${String(year).padStart(4, '0')}${rest}Z`;
}
