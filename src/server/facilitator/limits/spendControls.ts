import type { Clock } from '../../clock.ts';
import type { SpendControlsConfig } from '../../config.ts';
import type { Logger } from '../../logger.ts';

/** The four spend refusals (spec: Errors), in the order of the checks. */
export const SPEND_REFUSALS = [
  'rate_limited_payto',
  'rate_limited_url',
  'spend_ceiling',
  'unbound_pool_exhausted',
] as const;

export type SpendRefusal = (typeof SPEND_REFUSALS)[number];

/** The payer, recipient and resource that the sponsor would spend for. */
export interface Spending {
  readonly payTo: string;
  /** The resource, without its query; `undefined` if the payment does not name one. */
  readonly url: string | undefined;
}

/** A settlement within the ceilings. Its highest possible fee counts until the actual one is known. */
export interface Expense {
  /** @param feeCharged stroops that the ledger charged; 0 if nothing was submitted */
  close(feeCharged: bigint): void;
}

export interface SpendControls {
  /**
   * Checks a settlement before it is submitted and counts it. An exceeded limit is logged and counted in
   * the metrics, and refuses the settlement only in enforcing mode: on a test network, fees are not
   * money.
   * @param worstFee stroops
   */
  open(spending: Spending, worstFee: bigint, log: Logger): Expense | SpendRefusal;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Maximum number of recipients and resources counted at a time. */
const MOST_KEYS = 10_000;

/** Sums over fixed windows, by key. Bounded: the oldest key is dropped first. */
class Windows {
  readonly #windows = new Map<string, { endsAt: number; sum: bigint }>();
  readonly #lengthMs: number;
  readonly #clock: Clock;

  constructor(lengthMs: number, clock: Clock) {
    this.#lengthMs = lengthMs;
    this.#clock = clock;
  }

  sum(key: string): bigint {
    const window = this.#windows.get(key);
    return window === undefined || window.endsAt <= this.#clock.now() ? 0n : window.sum;
  }

  /** @returns takes the amount back, if its window is still open */
  add(key: string, amount: bigint): () => void {
    const now = this.#clock.now();
    let window = this.#windows.get(key);
    if (window === undefined || window.endsAt <= now) {
      this.#windows.delete(key);
      const [first] = this.#windows.keys();
      if (this.#windows.size >= MOST_KEYS && first !== undefined) this.#windows.delete(first);
      window = { endsAt: now + this.#lengthMs, sum: 0n };
      this.#windows.set(key, window);
    }
    window.sum += amount;
    const counted = window;
    return () => {
      counted.sum -= amount;
    };
  }
}

/** The constant key of a single sum. */
const ALL = '';

/**
 * Creates the spend controls of one service.
 * @param options.isBound whether the catalog has bound a resource to this recipient
 * @param options.onRefusal called for each refusal, enforced or only logged
 */
export function createSpendControls(options: {
  readonly config: SpendControlsConfig;
  readonly clock: Clock;
  readonly isBound: (spending: Spending) => boolean;
  readonly onRefusal: (reason: SpendRefusal, enforced: boolean) => void;
  /** Fees charged to other instances and earlier runs in the last day, in stroops. */
  readonly feesElsewhere?: () => bigint;
}): SpendControls {
  const { config, clock, isBound, onRefusal, feesElsewhere = () => 0n } = options;
  const byPayTo = new Windows(MINUTE_MS, clock);
  const byUrl = new Windows(MINUTE_MS, clock);
  const fees = new Windows(DAY_MS, clock);
  const unboundFees = new Windows(DAY_MS, clock);
  /** Highest possible fees of settlements in flight. */
  let inFlight = 0n;
  let unboundInFlight = 0n;

  function refuses(reason: SpendRefusal, spending: Spending, worstFee: bigint): boolean {
    const { payTo, url } = spending;
    switch (reason) {
      case 'rate_limited_payto':
        return byPayTo.sum(payTo) >= BigInt(config.payToPerMinute);
      case 'rate_limited_url':
        return url !== undefined && byUrl.sum(url) >= BigInt(config.urlPerMinute);
      case 'spend_ceiling':
        return fees.sum(ALL) + feesElsewhere() + inFlight + worstFee > config.feesPerDayStroops;
      case 'unbound_pool_exhausted':
        return (
          !isBound(spending) &&
          unboundFees.sum(ALL) + unboundInFlight + worstFee > config.unboundFeesPerDayStroops
        );
    }
  }

  return {
    open(spending, worstFee, log) {
      const found = SPEND_REFUSALS.filter((reason) => refuses(reason, spending, worstFee));
      for (const reason of found) {
        onRefusal(reason, config.enforced);
        const { payTo, url } = spending;
        if (!config.enforced) log.info({ reason, payTo, url }, 'would-reject');
      }
      const [first] = found;
      if (config.enforced && first !== undefined) return first;
      const giveBack = [byPayTo.add(spending.payTo, 1n)];
      if (spending.url !== undefined) giveBack.push(byUrl.add(spending.url, 1n));
      const unbound = !isBound(spending);
      inFlight += worstFee;
      if (unbound) unboundInFlight += worstFee;
      return {
        close(feeCharged) {
          inFlight -= worstFee;
          if (unbound) unboundInFlight -= worstFee;
          if (feeCharged === 0n) {
            for (const one of giveBack) one();
            return;
          }
          fees.add(ALL, feeCharged);
          if (!isBound(spending)) unboundFees.add(ALL, feeCharged);
        },
      };
    },
  };
}
