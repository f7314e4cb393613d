import { MAX_STANDING } from '../search/index.ts';
import type { OwnerState } from './records/entryRow.ts';

const DAY_MS = 86_400_000;
/** Atomic units of 0.01 USDC, the usual price of a call. */
const USUAL_PRICE = 100_000;
/** A payer who paid a thousand times the usual price, 10 USDC, weighs most. */
const DOUBLINGS = 10;
/** A payer who has paid for this long weighs most. */
const LOYAL_MS = 30 * DAY_MS;
/** The share of its weight that a payer has on its first day: accounts are free, weeks are not. */
const NEW_PAYER = 0.01;
/** The least that an amount weighs, such as one in another asset, whose value is unknown. */
const LEAST_AMOUNT = 0.1;
/** A payer's greatest weight. */
const MAX_WEIGHT = 1_000;
/** The weight of a payer of whom only a payment is known. */
export const LEAST_WEIGHT = MAX_WEIGHT * NEW_PAYER * LEAST_AMOUNT;

/** What one payer paid for an entry. Times are milliseconds since the epoch. */
export interface PaidBy {
  /** Atomic units of USDC. */
  readonly paid: number;
  /** Null if it is not known. */
  readonly firstAt: number | null;
  readonly lastAt: number | null;
}

/**
 * Returns what a payer's payments say about an entry: 1 for one payment of 0.01 USDC, 1,000 for 10 USDC over a month. An account
 * costs nothing, and money that is paid to oneself comes back, so a new payer counts for little whatever it pays.
 */
export function payerWeight({ paid, firstAt, lastAt }: PaidBy): number {
  const amount = Math.min(1, Math.log2(1 + paid / USUAL_PRICE) / DOUBLINGS);
  const known = firstAt === null || lastAt === null ? 0 : lastAt - firstAt;
  const time = Math.min(1, Math.max(0, known) / LOYAL_MS);
  const share = NEW_PAYER + (1 - NEW_PAYER) * time;
  return Math.round(MAX_WEIGHT * Math.max(LEAST_AMOUNT, amount) * share);
}

/** Shares of an entry's standing. */
const OF_OWNER = 0.2;
const OF_AGE = 0.2;
const OF_PAYERS = 0.6;
/** An entry that has been paid for this long has the whole share of age. */
const OLD_MS = 90 * DAY_MS;
/** So many payers of the greatest weight have the whole share of payers; each further one adds less. */
const MANY_PAYERS = 20;

/** What is known of an entry besides its words. */
export interface EntryFacts {
  readonly ownerState: OwnerState;
  /** Whether a seller on this machine was checked, on the embedded network. */
  readonly isLocal: boolean;
  /** The weights of its payers, added up. */
  readonly evidence: number;
  readonly createdAt: number;
  readonly settledAt: number;
}

/**
 * Returns an entry's standing, by which entries with equal words are ordered: 0 to `MAX_STANDING`. It has none until its URL's
 * own server names the recipient: payments to any other recipient might cost the payer nothing. Its age is how long it has been
 * paid for, so that the standing follows from the store alone and is the same in every instance.
 */
export function standingOfEntry(facts: EntryFacts): number {
  const { ownerState, isLocal, evidence, createdAt, settledAt } = facts;
  if (ownerState !== 'verified' && !isLocal) return 0;
  const age = Math.min(1, Math.max(0, settledAt - createdAt) / OLD_MS);
  const payers = Math.log1p(Math.max(0, evidence) / MAX_WEIGHT) / Math.log1p(MANY_PAYERS);
  const share = OF_OWNER + OF_AGE * age + OF_PAYERS * Math.min(1, payers);
  return Math.round(MAX_STANDING * share);
}
