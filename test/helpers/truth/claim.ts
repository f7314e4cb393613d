import type { MoneyMoved } from '../../../src/protocol/index.ts';

/** What an answer says of a payment's money. */
export interface Claim {
  readonly money: MoneyMoved;
  /** Whether it says, in whatever words, that this authorization has not paid and never will. */
  readonly denies: boolean;
  readonly hash: string | undefined;
  readonly ledger: number | undefined;
  /** Atomic units that arrived, as it says. */
  readonly amount: bigint | undefined;
  /** Last ledger in which the authorization can still pay, as it says. */
  readonly until: number | undefined;
  /** Whether the answer lets a seller hand out what was bought (`success: true`). */
  readonly sale: boolean;
}

const HASH = /^[0-9a-f]{64}$/;
const AMOUNT = /^\d+$/;
const MONEY: ReadonlySet<unknown> = new Set(['yes', 'no', 'fees', 'not_yet', 'unknown']);
/** Advice to pay again, to the end of its sentence. Without a condition it is right only if the authorization never pays. */
const ADVICE = /(?<!not |before you )sign (?:a new|another)\b[^.;]*/gi;
const CONDITION =
  /only (?:for (?:a new|another) purchase|if it did not|once this one can no longer settle)$/i;
/** What one request submitted says nothing of its authorization, which others may have submitted, or may submit later. */
const DENIAL = /nothing was (paid|submitted)(?! so far)|never submitted/i;
/** So it must say as well, in words, what is known of the authorization: what its value says. */
const SAID: Readonly<Partial<Record<MoneyMoved, RegExp>>> = {
  yes: /the payment is made/i,
  not_yet: /can still pay until ledger \d+/,
  unknown: /whether the payment was made is not known/i,
};
const UNTIL = /until ledger (\d+)/;

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function hashIn(...values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === 'string' && HASH.test(value));
}

function numberIn(...values: readonly unknown[]): number | undefined {
  return values.find((value) => typeof value === 'number');
}

/** Returns the claim of a statement whose words are its text: of an SDK's error, for example. */
export function claimInWords(
  money: MoneyMoved,
  text: string,
  rest: Partial<Pick<Claim, 'hash' | 'ledger' | 'amount' | 'sale'>> = {},
): Claim {
  const until = UNTIL.exec(text)?.[1];
  const advises = [...text.matchAll(ADVICE)].some(([advice]) => !CONDITION.test(advice.trim()));
  const inWords = advises || (DENIAL.test(text) && SAID[money]?.test(text) !== true);
  return {
    money,
    denies: money === 'no' || money === 'fees' || inWords,
    until: until === undefined ? undefined : Number(until),
    ...{ hash: undefined, ledger: undefined, amount: undefined, sale: false, ...rest },
  };
}

/**
 * Reads what a body of `/settle`, `/verify` or `/settlements` says of money; `undefined` when it says
 * nothing, as a valid `/verify` does.
 */
export function claimOf(body: unknown): Claim | undefined {
  const extra = member(body, 'extra');
  const sale = member(body, 'success') === true;
  const money = sale ? 'yes' : (member(extra, 'moneyMoved') ?? member(body, 'moneyMoved'));
  if (!MONEY.has(money)) return undefined;
  // A refusal repeats an amount of 0, which says nothing of what an earlier transaction brought.
  const amount = sale || member(body, 'state') !== undefined ? member(body, 'amount') : undefined;
  const claim = claimInWords(money as MoneyMoved, JSON.stringify(body), {
    hash: hashIn(member(body, 'transaction'), member(extra, 'transaction')),
    ledger: numberIn(member(body, 'ledger'), member(extra, 'ledger')),
    amount: typeof amount === 'string' && AMOUNT.test(amount) ? BigInt(amount) : undefined,
    sale,
  });
  const until = numberIn(member(extra, 'payableUntil'));
  return until === undefined ? claim : { ...claim, until };
}
