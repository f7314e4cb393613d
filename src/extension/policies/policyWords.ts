import { assetName, formatDecimalAmount } from '../../protocol/index.ts';
import { type Budget, budgetAt } from './budget.ts';
import type { LedgerPolicy } from './ledgerPolicy.ts';

/** `C…` and `G…` addresses, short. */
export function shortAddress(address: string): string {
  return address.length > 12 ? `${address.slice(0, 4)}…${address.slice(-4)}` : address;
}

/** An asset by its name, or short by its contract. */
export function assetWords(token: string): string {
  return shortAddress(assetName(token));
}

/** How long until a time, rounded. */
export function timeUntil(seconds: bigint): string {
  if (seconds < 60n) return 'in less than a minute';
  const minutes = seconds / 60n;
  if (minutes < 60n) return `in ${minutes} min`;
  const hours = minutes / 60n;
  return hours < 48n ? `in ${hours} h` : `in ${hours / 24n} days`;
}

/** A length of time as text. */
export function windowWords(seconds: bigint): string {
  const count = (number: bigint, unit: string) => `${number} ${unit}${number === 1n ? '' : 's'}`;
  if (seconds % 3_600n === 0n) return count(seconds / 3_600n, 'hour');
  return seconds % 60n === 0n ? count(seconds / 60n, 'minute') : count(seconds, 'second');
}

/** The kind of policy that a contract is, by what it stores. */
export function typeWords({ limit, registry }: LedgerPolicy): string {
  if (limit !== undefined) return 'Spending limit';
  return registry === undefined ? 'Policy' : 'Verified recipients only';
}

/** One line of an attached policy; short, since sidebars are narrow. */
export function policyLabel(policy: LedgerPolicy): string {
  const { limit } = policy;
  if (limit === undefined) return typeWords(policy);
  return `Limit ${formatDecimalAmount(limit.limit)} ${assetWords(limit.token)}`;
}

/** What is left, and until when. @param now seconds of the ledger's clock */
export function budgetWords(policy: LedgerPolicy, now: bigint): string {
  const { limit, registry, wasmHash } = policy;
  if (limit !== undefined) {
    const budget = budgetAt(limit, now);
    const left = `${formatDecimalAmount(budget.left)} left`;
    const word = limit.sliding ? 'more' : 'resets';
    return budget.resetsAt === undefined
      ? left
      : `${left} · ${word} ${timeUntil(budget.resetsAt - now)}`;
  }
  if (registry !== undefined) return 'caps no amount';
  return wasmHash === undefined
    ? 'its contract is archived or gone'
    : 'of a kind that is not known';
}

/** When the window ends, in the reader's time zone. */
export function resetWords({ resetsAt }: Budget, now: bigint, locale?: string): string {
  if (resetsAt === undefined) return 'with the next payment: nothing is spent in this window';
  const at = new Date(Number(resetsAt) * 1_000).toLocaleString(locale);
  return `${at}, ${timeUntil(resetsAt - now)}`;
}

/** What happens with the ceilings of `upto` payments. */
export function reservedWords(upto: string | undefined): string {
  return upto === undefined
    ? 'none: it admits direct transfers alone'
    : 'none now: a ceiling is reserved and settled in one transaction; what is not given back counts as spent';
}
