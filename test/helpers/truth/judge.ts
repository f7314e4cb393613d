import type { Claim } from './claim.ts';

/** An answer that reached the caller. Times are milliseconds of one clock, the harness's. */
export interface Delivered {
  readonly payment: string;
  /** Who got it: a seller, a seller that asks again, or a buyer through the SDK. */
  readonly to: string;
  /** What answered: an instance, or the SDK. */
  readonly from: string;
  readonly at: number;
  readonly claim: Claim;
  /** The text of the answer, for the report of a contradiction. */
  readonly text: string;
  /** Whether the request named the sale, so that each such request may get the success. */
  readonly named: boolean;
  /**
   * Whether a later request to settle may undo "no money moved". It may where the answer is about the
   * requests until then; it may not where the answer says that the payment never can move.
   */
  readonly untilAskedAgain: boolean;
}

/** A request to settle, whether or not its answer came. */
export interface Asked {
  readonly payment: string;
  readonly at: number;
}

/** A transaction that moved a payment's money. */
export interface Movement {
  readonly hash: string;
  readonly ledger: number;
  /** When it first left for the network, as far as the harness saw it leave. */
  readonly leftAt: number | undefined;
}

/** What the ledger itself has of a payment. */
export interface LedgerFacts {
  readonly payment: string;
  readonly moved: readonly Movement[];
}

/** A time span in which an instance could not record its answers. */
export interface Interruption {
  readonly from: string;
  readonly kind: string;
  readonly begun: number;
  readonly ended: number;
}

export type ContradictionKind =
  | 'reported that no money moved'
  | 'reported that money moved'
  | 'wrong hash'
  | 'wrong ledger'
  | 'sold twice'
  | 'moved twice'
  | 'never reported';

export interface Contradiction {
  readonly kind: ContradictionKind;
  readonly payment: string;
  readonly answers: readonly Delivered[];
  readonly facts: LedgerFacts;
}

export interface Judgement {
  readonly contradictions: readonly Contradiction[];
  /** Second sales within the documented moment: the teller was interrupted before it had recorded the first. */
  readonly soldAgainAfterInterruption: number;
}

/** Longest time between the delivery of an answer and its record that an interruption may fall into. */
const RECORD_MS = 2_000;

/** The buyer, through the SDK. If the seller keeps an outcome back, it comes once the authorization has expired. */
export const BUYER = 'buyer';

interface Case {
  readonly answers: readonly Delivered[];
  readonly asked: readonly Asked[];
  readonly facts: LedgerFacts;
}

/** Whether the money moved by a request that came after this answer, which was true when it was given. */
function wasAskedAgain(
  { at, untilAskedAgain }: Delivered,
  { leftAt }: Movement,
  asked: readonly Asked[],
): boolean {
  if (!untilAskedAgain || leftAt === undefined) return false;
  return asked.some((request) => request.at > at && request.at <= leftAt);
}

function falseAnswers({ answers, asked, facts }: Case): Contradiction[] {
  const { payment, moved } = facts;
  const found: Contradiction[] = [];
  const add = (kind: ContradictionKind, answer: Delivered) =>
    found.push({ kind, payment, answers: [answer], facts });
  for (const answer of answers) {
    const { money, hash, ledger } = answer.claim;
    if (money === 'no' || money === 'fees') {
      if (moved.some((one) => !wasAskedAgain(answer, one, asked))) {
        add('reported that no money moved', answer);
      }
    }
    if (money !== 'yes') continue;
    if (moved.length === 0) add('reported that money moved', answer);
    else if (hash !== undefined && !moved.some((one) => one.hash === hash))
      add('wrong hash', answer);
    else if (ledger !== undefined && !moved.some((one) => one.ledger === ledger)) {
      add('wrong ledger', answer);
    }
  }
  return found;
}

function wasInterrupted({ from, at }: Delivered, interruptions: readonly Interruption[]): boolean {
  return interruptions.some(
    (one) => one.from === from && one.begun <= at + RECORD_MS && one.ended >= at,
  );
}

/** Sales beyond the first, each with the one before it; named ones a seller knows to be the same. */
function repeatedSales({ answers }: Case): Delivered[][] {
  const sales = answers.filter(({ claim, named }) => claim.sale && !named);
  return sales.slice(1).map((sale, index) => [...sales.slice(index, index + 1), sale]);
}

function isKnown(answer: Delivered | undefined): boolean {
  return answer !== undefined && answer.claim.money !== 'unknown';
}

function byPayment<T extends { readonly payment: string }>(all: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const group = groups.get(one.payment);
    if (group === undefined) groups.set(one.payment, [one]);
    else group.push(one);
  }
  return groups;
}

/**
 * Compares every answer that was delivered with what the ledger has.
 * @param facts of each payment
 */
export function judgeAnswers(
  facts: readonly LedgerFacts[],
  answers: readonly Delivered[],
  asked: readonly Asked[],
  interruptions: readonly Interruption[],
): Judgement {
  const contradictions: Contradiction[] = [];
  let soldAgainAfterInterruption = 0;
  const answersOf = byPayment([...answers].sort((one, other) => one.at - other.at));
  const askedOf = byPayment(asked);
  for (const one of facts) {
    const { payment, moved } = one;
    const each = { answers: answersOf.get(payment) ?? [], asked: askedOf.get(payment) ?? [] };
    const inCase: Case = { ...each, facts: one };
    contradictions.push(...falseAnswers(inCase));
    for (const pair of repeatedSales(inCase)) {
      const [first] = pair;
      if (first !== undefined && wasInterrupted(first, interruptions)) soldAgainAfterInterruption++;
      else contradictions.push({ kind: 'sold twice', payment, answers: pair, facts: one });
    }
    if (moved.length > 1) {
      contradictions.push({ kind: 'moved twice', payment, answers: inCase.answers, facts: one });
    }
    const told = inCase.answers.filter(({ to }) => to !== BUYER);
    const isTold = told.some(({ claim }) => claim.money === 'yes') || isKnown(told.at(-1));
    if (each.asked.length > 0 && !isTold) {
      contradictions.push({ kind: 'never reported', payment, answers: inCase.answers, facts: one });
    }
  }
  return { contradictions, soldAgainAfterInterruption };
}
