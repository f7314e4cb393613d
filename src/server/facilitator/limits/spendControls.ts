import { type FacilitatorRequest, resourceInfoSchema } from '../../../protocol/wire/index.ts';
import type { Clock } from '../../clock.ts';
import type { SpendControlsConfig } from '../../config.ts';
import { isOverShare } from '../../fairShare.ts';
import type { Logger } from '../../logger.ts';
import type { OnSettled } from '../payment/index.ts';

/** The spend refusals (spec: Errors, one for API keys, one for a client's minute), in the order of the checks. */
export const SPEND_REFUSALS = [
  'api_key_budget_exhausted',
  'rate_limited_payto',
  'rate_limited_url',
  'rate_limited_client',
  'spend_ceiling',
  'unbound_pool_exhausted',
] as const;

export type SpendRefusal = (typeof SPEND_REFUSALS)[number];

/** The caller, recipient and resource that the sponsor would spend for. */
export interface Spending {
  /** Who calls the facilitator, usually the seller's server; `undefined` for a caller in this process. */
  readonly client: string | undefined;
  readonly payTo: string;
  /** The resource, without its query; `undefined` if the payment does not name one. */
  readonly url: string | undefined;
}

/** A settlement within the budgets. Its highest possible fee counts until the actual one is known. */
export interface Expense {
  /** @param feeCharged stroops that the ledger charged; 0 if nothing was submitted, which gives back everything */
  close(feeCharged: bigint): void;
}

/** Fees of the last day that other instances and earlier runs were charged, in stroops. */
export interface FeesElsewhere {
  readonly total: bigint;
  of(client: string): bigint;
  ofRecipient(client: string, payTo: string): bigint;
}

export const NO_FEES_ELSEWHERE: FeesElsewhere = {
  total: 0n,
  of: () => 0n,
  ofRecipient: () => 0n,
};

export interface SpendControls {
  /**
   * Checks a settlement before it is submitted and counts it. An exceeded budget is logged and counted in
   * the metrics, and refuses the settlement only in enforcing mode: on a test network, fees are not
   * money.
   * @param worstFee stroops
   */
  open(spending: Spending, worstFee: bigint, log: Logger): Expense | SpendRefusal;
  /** Counts the fee of a settlement that was opened by an earlier run or by another instance. */
  charge(spending: Pick<Spending, 'client' | 'payTo'>, feeCharged: bigint): void;
}

/** The sums of one key, or of all keys, by slot of time. */
class Slots {
  readonly #sums = new Map<number, bigint>();

  add(slot: number, amount: bigint): void {
    this.#sums.set(slot, (this.#sums.get(slot) ?? 0n) + amount);
  }

  /** Returns the sum of this slot and later ones, and forgets earlier ones. */
  since(first: number): bigint {
    let sum = 0n;
    for (const [slot, amount] of this.#sums) {
      if (slot < first) this.#sums.delete(slot);
      else sum += amount;
    }
    // What was taken back may have been added in a slot that is over.
    return sum > 0n ? sum : 0n;
  }
}

/** The key of the common sum of all keys beyond the maximum. */
const OTHERS = Symbol('others');

/** A period as a number of equal slots. Its sums are exact to one slot. */
interface Period {
  readonly slotMs: number;
  readonly slots: number;
}

/** At least the last 60 seconds, at most 70. */
const MINUTE: Period = { slotMs: 10_000, slots: 7 };
/** The last 24 hours, or up to a quarter of an hour less. */
const DAY: Period = { slotMs: 900_000, slots: 96 };

/**
 * Sums by key over the last period. Memory is bounded, and no key loses its sum because there are many others: once there are
 * too many, all further ones have one sum together.
 */
class SlidingSums {
  readonly #keys = new Map<string | typeof OTHERS, Slots>();
  readonly #all = new Slots();
  readonly #period: Period;
  readonly #maxKeys: number;
  readonly #clock: Clock;

  constructor(period: Period, maxKeys: number, clock: Clock) {
    this.#period = period;
    this.#maxKeys = maxKeys;
    this.#clock = clock;
  }

  sum(key: string): bigint {
    const slots = this.#keys.get(key) ?? (this.#isFull ? this.#keys.get(OTHERS) : undefined);
    return slots?.since(this.#first) ?? 0n;
  }

  get total(): bigint {
    return this.#all.since(this.#first);
  }

  /** @param amount negative to take back what was added in this period */
  add(key: string, amount: bigint): void {
    const slots = this.#keys.get(key) ?? this.#open(key);
    slots.add(this.#now, amount);
    this.#all.add(this.#now, amount);
  }

  get #isFull(): boolean {
    return this.#keys.size >= this.#maxKeys;
  }

  #open(key: string): Slots {
    if (this.#isFull) {
      for (const [other, slots] of this.#keys) {
        if (slots.since(this.#first) === 0n) this.#keys.delete(other);
      }
    }
    const name = this.#isFull ? OTHERS : key;
    const slots = this.#keys.get(name) ?? new Slots();
    this.#keys.set(name, slots);
    return slots;
  }

  get #now(): number {
    return Math.floor(this.#clock.now() / this.#period.slotMs);
  }

  get #first(): number {
    return this.#now - this.#period.slots + 1;
  }
}

/** Maximum number of clients counted at a time; all others share one budget. */
const MAX_CLIENTS = 4_096;
/** Maximum number of recipients and of resources counted for one client; all its others count as one. */
const MAX_OF_CLIENT = 256;

/** The client of callers in this process. */
const THIS_PROCESS = '';

/** What one client's calls were for. Another client's calls never change it. */
interface ClientCounts {
  /** Fees of the last day by recipient. */
  readonly fees: SlidingSums;
  /** Settlements of the last minute by recipient and by resource. */
  readonly payTos: SlidingSums;
  readonly urls: SlidingSums;
}

/** Highest possible fees of settlements in flight, by key. */
class InFlight {
  readonly #fees = new Map<string, bigint>();
  total = 0n;

  of(key: string): bigint {
    return this.#fees.get(key) ?? 0n;
  }

  add(key: string, fee: bigint): void {
    const sum = this.of(key) + fee;
    if (sum === 0n) this.#fees.delete(key);
    else this.#fees.set(key, sum);
    this.total += fee;
  }
}

/**
 * Creates the spend controls of one service. Rates are counted for each client alone, and the budgets of the day are divided
 * among clients (`isOverShare`).
 * @param options.isBound whether the catalog has bound a resource to this recipient
 * @param options.onRefusal called for each refusal, enforced or only logged
 */
export function createSpendControls(options: {
  readonly config: SpendControlsConfig;
  readonly clock: Clock;
  readonly isBound: (payTo: string) => boolean;
  readonly onRefusal: (reason: SpendRefusal, enforced: boolean) => void;
  readonly feesElsewhere?: () => FeesElsewhere;
  /** Fees in 24 hours for clients that have a budget of their own, in stroops. It refuses in either mode. */
  readonly budgets?: ReadonlyMap<string, bigint>;
}): SpendControls {
  const { config, clock, isBound, onRefusal, feesElsewhere = () => NO_FEES_ELSEWHERE } = options;
  const { budgets } = options;
  const minuteFees = new SlidingSums(MINUTE, MAX_CLIENTS, clock);
  const fees = new SlidingSums(DAY, MAX_CLIENTS, clock);
  const unboundFees = new SlidingSums(DAY, MAX_CLIENTS, clock);
  const inFlight = new InFlight();
  const unboundInFlight = new InFlight();
  const recipientsInFlight = new InFlight();
  const clients = new Map<string, ClientCounts>();

  function countsOf(client: string): ClientCounts {
    const known = clients.get(client);
    const sums = (period: typeof DAY) => new SlidingSums(period, MAX_OF_CLIENT, clock);
    const counts = known ?? { fees: sums(DAY), payTos: sums(MINUTE), urls: sums(MINUTE) };
    clients.delete(client);
    const [longestSilent] = clients.keys();
    if (clients.size >= MAX_CLIENTS && longestSilent !== undefined) clients.delete(longestSilent);
    clients.set(client, counts);
    return counts;
  }

  function isOverDayShare(client: string, payTo: string, worstFee: bigint): boolean {
    const elsewhere = feesElsewhere();
    return isOverShare(worstFee, {
      budget: config.feesPerDayStroops,
      spent: fees.total + elsewhere.total + inFlight.total,
      ofClient: fees.sum(client) + elsewhere.of(client) + inFlight.of(client),
      ofRecipient:
        countsOf(client).fees.sum(payTo) +
        elsewhere.ofRecipient(client, payTo) +
        recipientsInFlight.of(recipientKey(client, payTo)),
    });
  }

  function isOverUnboundShare(client: string, worstFee: bigint): boolean {
    return isOverShare(worstFee, {
      budget: config.unboundFeesPerDayStroops,
      spent: unboundFees.total + unboundInFlight.total,
      ofClient: unboundFees.sum(client) + unboundInFlight.of(client),
      ofRecipient: 0n,
    });
  }

  function refuses(
    reason: SpendRefusal,
    client: string,
    { payTo, url }: Spending,
    worstFee: bigint,
  ): boolean {
    switch (reason) {
      case 'api_key_budget_exhausted': {
        const budget = budgets?.get(client);
        const spent = fees.sum(client) + feesElsewhere().of(client) + inFlight.of(client);
        return budget !== undefined && spent + worstFee > budget;
      }
      case 'rate_limited_payto':
        return countsOf(client).payTos.sum(payTo) >= BigInt(config.payToPerMinute);
      case 'rate_limited_url':
        return url !== undefined && countsOf(client).urls.sum(url) >= BigInt(config.urlPerMinute);
      case 'rate_limited_client':
        return (
          minuteFees.sum(client) + inFlight.of(client) + worstFee >
          config.clientFeesPerMinuteStroops
        );
      case 'spend_ceiling':
        return isOverDayShare(client, payTo, worstFee);
      case 'unbound_pool_exhausted':
        return !isBound(payTo) && isOverUnboundShare(client, worstFee);
    }
  }

  function charge(client: string, payTo: string, fee: bigint): void {
    minuteFees.add(client, fee);
    fees.add(client, fee);
    countsOf(client).fees.add(payTo, fee);
    if (!isBound(payTo)) unboundFees.add(client, fee);
  }

  return {
    open(spending, worstFee, log) {
      const { client = THIS_PROCESS, payTo, url } = spending;
      const found = SPEND_REFUSALS.filter((reason) => refuses(reason, client, spending, worstFee));
      const isEnforced = (reason: SpendRefusal) =>
        config.enforced || reason === 'api_key_budget_exhausted';
      for (const reason of found) {
        onRefusal(reason, isEnforced(reason));
        if (!isEnforced(reason)) log.info({ reason, payTo, url }, 'would-reject');
      }
      const first = found.find(isEnforced);
      if (first !== undefined) return first;

      const recipient = recipientKey(client, payTo);
      const unbound = !isBound(payTo);
      const count = (by: bigint) => {
        countsOf(client).payTos.add(payTo, by);
        if (url !== undefined) countsOf(client).urls.add(url, by);
      };
      const reserve = (fee: bigint) => {
        inFlight.add(client, fee);
        recipientsInFlight.add(recipient, fee);
        if (unbound) unboundInFlight.add(client, fee);
      };
      count(1n);
      reserve(worstFee);
      return {
        close(feeCharged) {
          reserve(-worstFee);
          if (feeCharged === 0n) count(-1n);
          else charge(client, payTo, feeCharged);
        },
      };
    },
    charge: ({ client = THIS_PROCESS, payTo }, feeCharged) => {
      if (feeCharged > 0n) charge(client, payTo, feeCharged);
    },
  };
}

/** Neither part contains a space. */
function recipientKey(client: string, payTo: string): string {
  return `${client} ${payTo}`;
}

/** Sums what was charged elsewhere, by client and by recipient. */
export function sumFees(
  charged: readonly {
    readonly client: string | undefined;
    readonly payTo: string | undefined;
    readonly fees: bigint;
  }[],
): FeesElsewhere {
  const sums = new Map<string, bigint>();
  const add = (key: string, fees: bigint) => sums.set(key, (sums.get(key) ?? 0n) + fees);
  let total = 0n;
  for (const { client = THIS_PROCESS, payTo = '', fees } of charged) {
    total += fees;
    add(client, fees);
    add(recipientKey(client, payTo), fees);
  }
  return {
    total,
    of: (client) => sums.get(client) ?? 0n,
    ofRecipient: (client, payTo) => sums.get(recipientKey(client, payTo)) ?? 0n,
  };
}

/** Recipients with a cataloged payment, whose fees do not count against the limit for unbound recipients. */
export interface BoundRecipients {
  has(payTo: string): boolean;
  /** Wraps the catalog's hook to observe its results. */
  watching(onSettled: OnSettled): OnSettled;
}

const MAX_RECIPIENTS = 10_000;

/** Learns bound recipients from the catalog's results; the oldest is forgotten first. */
export function createBoundRecipients(): BoundRecipients {
  const bound = new Set<string>();
  return {
    has: (payTo) => bound.has(payTo),
    watching: (onSettled) => async (settlement) => {
      const responses = await onSettled(settlement);
      if (responses.bazaar?.cataloged === true) {
        const [first] = bound;
        if (bound.size >= MAX_RECIPIENTS && first !== undefined) bound.delete(first);
        bound.add(settlement.payment.payTo);
      }
      return responses;
    },
  };
}

/**
 * The resource that spend controls count and that logs name, without its query, which a seller could vary at will and which may
 * hold secrets.
 */
export function resourceOf(resource: unknown): string | undefined {
  const read = resourceInfoSchema.safeParse(resource);
  if (!read.success) return undefined;
  try {
    const { origin, pathname } = new URL(read.data.url);
    return origin + pathname.replace(/\/+$/, '');
  } catch {
    return undefined;
  }
}

/** Returns the keys under which a settlement's spending is counted. @param client the caller's key */
export function spendingOf(request: FacilitatorRequest, client: string | undefined): Spending {
  return {
    client,
    payTo: request.paymentRequirements.payTo,
    url: resourceOf(request.paymentPayload.resource),
  };
}
