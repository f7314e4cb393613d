/** What an answer says of a payment's money. */
export interface Claim {
  /** `fees`: only the sponsor paid. `not_yet`: nothing so far, but the authorization can still pay. */
  readonly money: 'yes' | 'no' | 'fees' | 'not_yet' | 'unknown';
  readonly hash: string | undefined;
  readonly ledger: number | undefined;
  /** Whether the answer lets a seller hand out what was bought (`success: true`). */
  readonly sale: boolean;
}

const HASH = /^[0-9a-f]{64}$/;
const MONEY: ReadonlySet<unknown> = new Set(['yes', 'no', 'fees', 'not_yet', 'unknown']);

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

/**
 * Reads what a body of `/settle`, `/verify` or `/settlements` says of money; `undefined` when it says
 * nothing, as a valid `/verify` does.
 */
export function claimOf(body: unknown): Claim | undefined {
  const extra = member(body, 'extra');
  const hash = hashIn(member(body, 'transaction'), member(extra, 'transaction'));
  const ledger = numberIn(member(body, 'ledger'), member(extra, 'ledger'));
  if (member(body, 'success') === true) return { money: 'yes', hash, ledger, sale: true };
  const money = member(extra, 'moneyMoved') ?? member(body, 'moneyMoved');
  if (!MONEY.has(money)) return undefined;
  return { money: money as Claim['money'], hash, ledger, sale: false };
}
