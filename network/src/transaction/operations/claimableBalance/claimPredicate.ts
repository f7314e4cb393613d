import { xdr } from '@stellar/stellar-sdk';
import { INT64_MAX } from '../../balances/index.ts';

const MAX_DEPTH = 4;

/** True if a predicate is well formed: at most four levels deep, with both sides of and/or given (CAP-23). */
export function isPredicateValid(predicate: xdr.ClaimPredicate, depth = 1): boolean {
  if (depth > MAX_DEPTH) return false;
  switch (predicate.type) {
    case 'claimPredicateUnconditional':
      return true;
    case 'claimPredicateAnd':
      return arePartsValid(predicate.andPredicates, depth);
    case 'claimPredicateOr':
      return arePartsValid(predicate.orPredicates, depth);
    case 'claimPredicateNot':
      return predicate.notPredicate !== null && isPredicateValid(predicate.notPredicate, depth + 1);
    case 'claimPredicateBeforeAbsoluteTime':
      return predicate.absBefore >= 0n;
    case 'claimPredicateBeforeRelativeTime':
      return predicate.relBefore >= 0n;
  }
}

/** The predicate in its stored form: relative times are resolved from the close time of its ledger. */
export function resolvePredicate(
  predicate: xdr.ClaimPredicate,
  closeTime: bigint,
): xdr.ClaimPredicate {
  const resolve = (part: xdr.ClaimPredicate): xdr.ClaimPredicate =>
    resolvePredicate(part, closeTime);
  switch (predicate.type) {
    case 'claimPredicateAnd':
      return xdr.ClaimPredicate.claimPredicateAnd(predicate.andPredicates.map(resolve));
    case 'claimPredicateOr':
      return xdr.ClaimPredicate.claimPredicateOr(predicate.orPredicates.map(resolve));
    case 'claimPredicateNot':
      return xdr.ClaimPredicate.claimPredicateNot(
        predicate.notPredicate === null ? null : resolve(predicate.notPredicate),
      );
    case 'claimPredicateBeforeRelativeTime':
      return xdr.ClaimPredicate.claimPredicateBeforeAbsoluteTime(
        earlier(closeTime + predicate.relBefore, INT64_MAX),
      );
    default:
      return predicate;
  }
}

/**
 * True if the balance can be claimed in a ledger with this close time (seconds). Stored predicates do not have relative times;
 * an unresolved one never holds.
 */
export function holdsPredicate(predicate: xdr.ClaimPredicate, closeTime: bigint): boolean {
  switch (predicate.type) {
    case 'claimPredicateUnconditional':
      return true;
    case 'claimPredicateAnd':
      return predicate.andPredicates.every((part) => holdsPredicate(part, closeTime));
    case 'claimPredicateOr':
      return predicate.orPredicates.some((part) => holdsPredicate(part, closeTime));
    case 'claimPredicateNot':
      return predicate.notPredicate !== null && !holdsPredicate(predicate.notPredicate, closeTime);
    case 'claimPredicateBeforeAbsoluteTime':
      return predicate.absBefore > closeTime;
    case 'claimPredicateBeforeRelativeTime':
      return false;
  }
}

function arePartsValid(parts: readonly xdr.ClaimPredicate[], depth: number): boolean {
  return parts.length === 2 && parts.every((part) => isPredicateValid(part, depth + 1));
}

function earlier(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
