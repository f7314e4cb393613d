import { assetName, formatDecimalAmount } from '../../protocol/index.ts';
import { moment, t } from '../words/index.ts';
import { type Budget, budgetAt } from './budget.ts';
import type { LedgerPolicy } from './ledgerPolicy.ts';

/** `C…` and `G…` addresses, short. */
export function shortAddress(address: string): string {
  return address.length > 12 ? `${address.slice(0, 4)}…${address.slice(-4)}` : address;
}

/** An asset's name, or else its shortened contract address. */
export function assetWords(token: string): string {
  return shortAddress(assetName(token));
}

/** An amount of a token, such as `0.25 USDC`. */
export function amountWords(atomic: bigint, token: string): string {
  return `${formatDecimalAmount(atomic)} ${assetWords(token)}`;
}

/** Time remaining, rounded. */
export function timeUntil(seconds: bigint): string {
  if (seconds < 60n) return t('in less than a minute');
  const minutes = seconds / 60n;
  if (minutes < 60n) return t('in {0} min', minutes);
  const hours = minutes / 60n;
  return hours < 48n ? t('in {0} h', hours) : t('in {0} days', hours / 24n);
}

/** A length of time as text. */
export function windowWords(seconds: bigint): string {
  if (seconds % 3_600n === 0n) {
    return seconds === 3_600n ? t('1 hour') : t('{0} hours', seconds / 3_600n);
  }
  if (seconds % 60n === 0n) {
    return seconds === 60n ? t('1 minute') : t('{0} minutes', seconds / 60n);
  }
  return seconds === 1n ? t('1 second') : t('{0} seconds', seconds);
}

/** The type of a policy contract, derived from what it stores. */
export function typeWords({ limit, registry }: LedgerPolicy): string {
  if (limit !== undefined) return t('Spending limit');
  return registry === undefined ? t('Policy') : t('Verified recipients only');
}

/** A line that describes an attached policy; short, because sidebars are narrow. */
export function policyLabel(policy: LedgerPolicy): string {
  const { limit } = policy;
  if (limit === undefined) return typeWords(policy);
  return t('Limit {0}', amountWords(limit.limit, limit.token));
}

/** What is left, and when it resets. @param now seconds of the ledger's clock */
export function budgetWords(policy: LedgerPolicy, now: bigint): string {
  const { limit, registry, wasmHash } = policy;
  if (limit !== undefined) {
    const budget = budgetAt(limit, now);
    const left = t('{0} left', amountWords(budget.left, limit.token));
    if (budget.resetsAt === undefined) return left;
    const until = timeUntil(budget.resetsAt - now);
    return limit.sliding ? t('{0} · more {1}', left, until) : t('{0} · resets {1}', left, until);
  }
  if (registry !== undefined) return t('has no amount limit');
  return wasmHash === undefined
    ? t('its contract is archived or no longer exists')
    : t('of an unknown type');
}

/** When the window ends, in the reader's time zone. */
export function resetWords({ resetsAt }: Budget, now: bigint): string {
  if (resetsAt === undefined)
    return t('with the next payment: nothing has been spent in this window');
  return `${moment(new Date(Number(resetsAt) * 1_000))}, ${timeUntil(resetsAt - now)}`;
}

/** What happens to the ceilings of `upto` payments. */
export function reservedWords(upto: string | undefined): string {
  return upto === undefined
    ? t('none: it allows only direct transfers')
    : t(
        'none now: a ceiling is reserved and settled in one transaction; any amount not returned counts as spent',
      );
}
