import type { Settlement } from '../chain/index.ts';

/** Earnings of the loaded settlements. Amounts are atomic units. */
export interface EarningsSummary {
  readonly total: bigint;
  readonly today: bigint;
  readonly thisWeek: bigint;
  readonly uniquePayers: number;
  readonly count: number;
  /** The oldest settlement included; `undefined` if there are none. */
  readonly since: Date | undefined;
  /** By day in the given time zone, oldest first, without gaps. */
  readonly byDay: readonly { readonly day: string; readonly amount: bigint }[];
  /** Only settlements that this machine's journal can assign to a route. */
  readonly byEndpoint: readonly RouteEarnings[];
  /** The amount whose endpoint is unknown. */
  readonly unattributed: bigint;
}

/** What one route earned. */
export interface RouteEarnings {
  readonly url: string;
  readonly amount: bigint;
  readonly payments: number;
}

const DAY_MS = 86_400_000;
const MAX_DAYS = 14;

/**
 * Totals settlements. Days are those of the reader's time zone; a week begins on Monday.
 * @param urlOf the endpoint that the settlement with this hash was for, if known
 */
export function summarise(
  settlements: readonly Settlement[],
  now: Date,
  timeZone: string,
  urlOf: (hash: string) => string | undefined,
): EarningsSummary {
  const dayOf = dayIn(timeZone);
  const today = dayOf(now);
  const monday = mondayOf(today);
  const perDay = new Map<string, bigint>();
  const perEndpoint = new Map<string, RouteEarnings>();
  let total = 0n;
  let week = 0n;
  let unattributed = 0n;
  let since: Date | undefined;
  for (const { at, amount, hash } of settlements) {
    const day = dayOf(at);
    total += amount;
    if (day >= monday && day <= today) week += amount;
    perDay.set(day, (perDay.get(day) ?? 0n) + amount);
    if (since === undefined || at < since) since = at;
    const url = urlOf(hash);
    if (url === undefined) unattributed += amount;
    else {
      const { amount: before, payments } = perEndpoint.get(url) ?? { amount: 0n, payments: 0 };
      perEndpoint.set(url, { url, amount: before + amount, payments: payments + 1 });
    }
  }
  return {
    total,
    today: perDay.get(today) ?? 0n,
    thisWeek: week,
    uniquePayers: new Set(settlements.map(({ from }) => from)).size,
    count: settlements.length,
    since,
    byDay: daysUpTo(today, since && dayOf(since)).map((day) => ({
      day,
      amount: perDay.get(day) ?? 0n,
    })),
    byEndpoint: [...perEndpoint.values()].sort((a, b) => (a.amount > b.amount ? -1 : 1)),
    unattributed,
  };
}

/** Periods that earnings are shown for. */
export const EARNING_PERIODS = ['all', 'today', 'week', 'month'] as const;

export type EarningPeriod = (typeof EARNING_PERIODS)[number];

/**
 * Returns the settlements of today, of this week (from Monday), or of the last 30 days.
 * @param timeZone the reader's
 */
export function settledIn(
  period: EarningPeriod,
  settlements: readonly Settlement[],
  now: Date,
  timeZone: string,
): readonly Settlement[] {
  if (period === 'all') return settlements;
  const dayOf = dayIn(timeZone);
  const today = dayOf(now);
  const firsts = {
    today,
    week: mondayOf(today),
    month: new Date(Date.parse(`${today}T00:00:00Z`) - 29 * DAY_MS).toISOString().slice(0, 10),
  };
  return settlements.filter(({ at }) => dayOf(at) >= firsts[period]);
}

/** Formats the day of a moment as `2026-11-21` in a time zone, or in UTC if the zone is unknown. */
function dayIn(timeZone: string): (at: Date) => string {
  const options = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-CA', { ...options, timeZone });
  } catch {
    format = new Intl.DateTimeFormat('en-CA', { ...options, timeZone: 'UTC' });
  }
  return (at) => {
    const parts = format.formatToParts(at);
    const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
    return `${part('year')}-${part('month')}-${part('day')}`;
  };
}

/** Calendar days need no time zone: they are counted in UTC. */
function mondayOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  const sinceMonday = (date.getUTCDay() + 6) % 7;
  return new Date(date.getTime() - sinceMonday * DAY_MS).toISOString().slice(0, 10);
}

function daysUpTo(last: string, first: string | undefined): string[] {
  if (first === undefined) return [];
  const end = Date.parse(`${last}T00:00:00Z`);
  const begin = Math.max(Date.parse(`${first}T00:00:00Z`), end - (MAX_DAYS - 1) * DAY_MS);
  const days: string[] = [];
  for (let at = begin; at <= end; at += DAY_MS) days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}
