import { formatDecimalAmount } from '../../protocol/index.ts';
import type { Settlement } from '../chain/index.ts';
import { moment, t } from '../words/index.ts';
import { type EarningPeriod, settledIn, summarise } from './summarise.ts';

/** A bar. Its length is relative to the longest bar; its amount is exact. */
export interface Bar {
  readonly name: string;
  readonly amount: string;
  /** Text for screen readers. */
  readonly spoken: string;
  readonly share: number;
}

/** Earnings as the page shows them. */
export interface EarningsFace {
  readonly total: string;
  readonly today: string;
  readonly thisWeek: string;
  readonly uniquePayers: string;
  readonly note: string;
  readonly days: readonly Bar[];
  readonly routes: readonly Bar[];
}

/** What is known about the settlements. */
export interface Earned {
  readonly settlements: readonly Settlement[];
  /** True if the list goes back to the first settlement. */
  readonly complete: boolean;
  readonly routeOf: (hash: string) => string | undefined;
}

/**
 * Describes the earnings of a period.
 * @param timeZone the reader's: days and times are counted in it
 */
export function earningsFace(
  { settlements, complete, routeOf }: Earned,
  period: EarningPeriod,
  now: Date,
  timeZone: string,
): EarningsFace {
  const shown = settledIn(period, settlements, now, timeZone);
  const summary = summarise(shown, now, timeZone, routeOf);
  const all = summarise(settlements, now, timeZone, routeOf);
  const usdc = (amount: bigint) => `${formatDecimalAmount(amount)} USDC`;
  const days = summary.byDay.map(({ day, amount }) => ({ name: day, amount, spoken: day }));
  const routes = summary.byEndpoint.map(({ url, amount, payments }) => ({
    name: url,
    amount,
    spoken: payments === 1 ? t('{0}, 1 payment', url) : t('{0}, {1} payments', url, payments),
  }));
  const unknown = t('not known here');
  const rest = { name: unknown, amount: summary.unattributed, spoken: unknown };
  return {
    total: usdc(summary.total),
    today: usdc(all.today),
    thisWeek: usdc(all.thisWeek),
    uniquePayers: String(summary.uniquePayers),
    note: noteOf(
      summary.count,
      complete || summary.count < settlements.length,
      summary.since,
      timeZone,
    ),
    days: bars(days),
    routes: bars(rest.amount > 0n ? [...routes, rest] : routes),
  };

  function bars(
    entries: readonly { readonly name: string; readonly amount: bigint; readonly spoken: string }[],
  ): Bar[] {
    const [most = 0n] = entries.map(({ amount }) => amount).sort((a, b) => (a > b ? -1 : 1));
    return entries.map(({ name, amount, spoken }) => ({
      name,
      amount: usdc(amount),
      spoken: `${spoken}: ${usdc(amount)}`,
      share: most === 0n ? 0 : Number((amount * 1_000n) / most) / 1_000,
    }));
  }
}

function noteOf(count: number, whole: boolean, since: Date | undefined, timeZone: string): string {
  if (since === undefined) return t('No settlements in this period.');
  const at = moment(since, timeZone);
  if (count === 1) return t('1 settlement, since {0}.', at);
  return whole
    ? t('{0} settlements, since {1}.', count, at)
    : t('The latest {0} settlements, since {1}.', count, at);
}
