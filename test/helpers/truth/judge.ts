import type { Claim } from './claim.ts';

/** An answer that reached the caller. */
export interface Delivered {
  /** The authorization that it is about. */
  readonly payment: string;
  /** Who got it: a seller, a seller that asks again, or a buyer through the SDK. */
  readonly to: string;
  /** What answered: an instance, or the SDK. */
  readonly from: string;
  /** Milliseconds of one clock, the harness's. */
  readonly at: number;
  /** The network's latest ledger when the question was sent. */
  readonly seen: number;
  readonly claim: Claim;
  /** The text of the answer, for the report of a contradiction. */
  readonly text: string;
  /** Whether the request named the sale, so that each such request may get the success. */
  readonly named: boolean;
}

/** A request to settle, whether or not its answer came. */
export interface Asked {
  readonly payment: string;
  readonly at: number;
}

/** A transaction that carried an authorization and succeeded, sent by anyone. */
export interface Movement {
  readonly hash: string;
  readonly ledger: number;
  /** Atomic units that the seller got by it. */
  readonly arrived: bigint;
  /**
   * Atomic units that its events show, if a token of its own code reports another amount than it moves. Nothing else on the ledger
   * shows what such a token did, so a statement that it paid is about this amount, and one that it did not about both.
   */
  readonly shown?: bigint;
}

/** What the ledger shows of a movement. */
const shownBy = ({ arrived, shown }: Movement): bigint => shown ?? arrived;

/** What the ledger itself has of an authorization: a signature with its payer, nonce and expiration. */
export interface LedgerFacts {
  readonly payment: string;
  readonly moved: readonly Movement[];
  /** Movements by other signatures with the same payer and nonce. */
  readonly kin?: readonly Movement[];
  /** The sale that it is for, if a sale may be paid once only. */
  readonly sale?: string | undefined;
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
  | 'reported that nothing moved so far'
  | 'moved after its reported end'
  | 'reported that money moved'
  | 'wrong hash'
  | 'wrong ledger'
  | 'wrong amount'
  | 'sold twice'
  | 'moved twice'
  | 'sale paid twice'
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

/** What is wrong with "money moved", compared with all movements of the payer's nonce. */
function faultOfYes(
  { hash, ledger, amount, sale }: Claim,
  moved: readonly Movement[],
): ContradictionKind | undefined {
  const named = hash === undefined ? moved : moved.filter((one) => one.hash === hash);
  if (moved.length === 0) return 'reported that money moved';
  if (named.length === 0) return 'wrong hash';
  if (ledger !== undefined && !named.some((one) => one.ledger === ledger)) return 'wrong ledger';
  if (amount !== undefined && !named.some((one) => shownBy(one) === amount)) {
    return 'wrong amount';
  }
  const isEmpty = named.every((one) => shownBy(one) === 0n);
  return isEmpty && (sale || amount === undefined) ? 'reported that money moved' : undefined;
}

function faultOf(
  { claim, seen }: Delivered,
  { moved, kin = [] }: LedgerFacts,
): ContradictionKind | undefined {
  // A transaction that carried the authorization and brought nothing contradicts no denial.
  const paid = moved.filter(({ arrived }) => arrived > 0n);
  const { money, denies, until } = claim;
  if (denies) {
    const earlier = kin.some(({ ledger, arrived }) => arrived > 0n && ledger <= seen);
    if (paid.length > 0 || earlier) return 'reported that no money moved';
  }
  if (money === 'not_yet') {
    if (paid.some(({ ledger }) => ledger <= seen)) return 'reported that nothing moved so far';
    if (until !== undefined && paid.some(({ ledger }) => ledger > until)) {
      return 'moved after its reported end';
    }
  }
  return money === 'yes' ? faultOfYes(claim, [...moved, ...kin]) : undefined;
}

function falseAnswers({ answers, facts }: Case): Contradiction[] {
  return answers.flatMap((answer) => {
    const kind = faultOf(answer, facts);
    return kind === undefined ? [] : [{ kind, payment: facts.payment, answers: [answer], facts }];
  });
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

function isKnown({ claim: { money } }: Delivered): boolean {
  return money !== 'unknown' && money !== 'not_yet';
}

function groupsOf<T>(all: readonly T[], nameOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const group = groups.get(nameOf(one));
    if (group === undefined) groups.set(nameOf(one), [one]);
    else group.push(one);
  }
  return groups;
}

/** Sales that several authorizations paid, each with the answers about all of them. */
function salesPaidTwice(
  facts: readonly LedgerFacts[],
  answersOf: ReadonlyMap<string, readonly Delivered[]>,
): Contradiction[] {
  const paid = facts.filter(({ sale, moved }) => sale !== undefined && moved.length > 0);
  return [...groupsOf(paid, ({ sale }) => sale ?? '').values()].flatMap((group) => {
    const [first, second] = group;
    if (first === undefined || second === undefined) return [];
    const answers = group.flatMap(({ payment }) => answersOf.get(payment) ?? []);
    return [{ kind: 'sale paid twice', payment: second.payment, answers, facts: second }];
  });
}

/**
 * Compares every answer that was delivered with what the ledger has of the authorization that it is about.
 * @param facts of each authorization
 */
export function judgeAnswers(
  facts: readonly LedgerFacts[],
  answers: readonly Delivered[],
  asked: readonly Asked[],
  interruptions: readonly Interruption[],
): Judgement {
  const contradictions: Contradiction[] = [];
  let soldAgainAfterInterruption = 0;
  const inOrder = [...answers].sort((one, other) => one.at - other.at);
  const answersOf = groupsOf(inOrder, ({ payment }) => payment);
  const askedOf = groupsOf(asked, ({ payment }) => payment);
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
    // One answer is enough: what is said of the end must stay true, and a later caller may name too little to look it up.
    const isReported = inCase.answers.some((answer) => answer.to !== BUYER && isKnown(answer));
    if (each.asked.length > 0 && !isReported) {
      contradictions.push({ kind: 'never reported', payment, answers: inCase.answers, facts: one });
    }
  }
  contradictions.push(...salesPaidTwice(facts, answersOf));
  return { contradictions, soldAgainAfterInterruption };
}
