import { type Json, outline } from './json.ts';
import type { Cost, Meter } from './measure.ts';
import { mutated } from './mutate.ts';
import type { Random } from './random.ts';
import type { Budget, Route } from './route.ts';

/** An input that was found, with what it costs each time. */
export interface Dear {
  readonly input: Json;
  readonly outline: string;
  readonly cost: Cost;
}

/** Inputs of a route that are kept and changed further. */
const KEPT = 16;
/** How often an input is measured before it counts as dear: once it may have met a collection of garbage. */
const MEASURES = 3;
/** The same of one that would fail the run. */
const MEASURES_OVER = 6;
const FRESH = 0.1;

/** The parts of a cost by which inputs are compared, each as a part of its budget. */
export function shareOf(cost: Cost, budget: Budget): number {
  return Math.max(
    cost.cpuMs / budget.cpuMs,
    cost.loopMs / budget.loopMs,
    cost.answerBytes / budget.answerBytes,
  );
}

/** The least of several measures in each of its parts: what an input costs at any rate. */
function least(costs: readonly Cost[]): Cost {
  const smallest = (read: (cost: Cost) => number): number => Math.min(...costs.map(read));
  const [first] = costs;
  if (first === undefined) throw new RangeError('nothing was measured');
  return {
    ...first,
    cpuMs: smallest(({ cpuMs }) => cpuMs),
    loopMs: smallest(({ loopMs }) => loopMs),
    answerBytes: smallest(({ answerBytes }) => answerBytes),
    rssBytes: smallest(({ rssBytes }) => rssBytes),
    sockets: smallest(({ sockets }) => sockets),
    rows: smallest(({ rows }) => rows),
  };
}

/** Looks for the dearest inputs of one route by changing the dearest that it has. */
export class RouteSearch {
  readonly route: Route;
  readonly budget: Budget;
  /** The dearest first, one of each outline. */
  readonly dear: Dear[] = [];
  /** CPU that the route has taken, in milliseconds. */
  spentMs = 0;
  requests = 0;
  readonly statuses = new Map<number, number>();
  readonly #meter: Pick<Meter, 'cost'>;
  readonly #random: Random;
  #seed = 0;

  constructor(route: Route, budget: Budget, meter: Pick<Meter, 'cost'>, random: Random) {
    this.route = route;
    this.budget = budget;
    this.#meter = meter;
    this.#random = random;
  }

  /** Tries one input more. */
  async step(): Promise<void> {
    const input = this.#next();
    const cost = await this.#measure(input, false);
    if (cost === undefined) return;
    const lowest = this.dear[KEPT - 1];
    const bar = lowest === undefined ? 0 : shareOf(lowest.cost, this.budget);
    if (shareOf(cost, this.budget) <= bar) return;
    await this.#confirm(input, cost, bar);
  }

  #next(): Json {
    const { seeds } = this.route;
    const seed = seeds[this.#seed];
    if (seed !== undefined) {
      this.#seed += 1;
      return seed;
    }
    const random = this.#random;
    const from = random.next() < FRESH ? random.pick(seeds) : this.#pick();
    return mutated(from, this.#pick(), random);
  }

  /** One of those that were found dear, the dearest most often. */
  #pick(): Json {
    const at = Math.floor(this.dear.length * this.#random.next() ** 2);
    return this.dear[at]?.input ?? this.#random.pick(this.route.seeds);
  }

  async #measure(input: Json, rows: boolean): Promise<Cost | undefined> {
    const cost = await this.#meter.cost(this.route, input, rows);
    this.requests += cost === undefined ? 0 : 1;
    if (cost === undefined) return undefined;
    this.spentMs += Math.max(0.2, cost.cpuMs);
    this.statuses.set(cost.status, (this.statuses.get(cost.status) ?? 0) + 1);
    return cost;
  }

  async #confirm(input: Json, first: Cost, bar: number): Promise<void> {
    const costs = [first];
    for (let n = 1; n < MEASURES_OVER; n++) {
      const share = shareOf(least(costs), this.budget);
      if (share <= bar || (n >= MEASURES && share <= 1)) break;
      const again = await this.#measure(input, true);
      if (again === undefined) return;
      costs.push(again);
    }
    const cost = { ...least(costs), rows: Math.max(...costs.map(({ rows }) => rows)) };
    const found = { input, outline: outline(input), cost };
    const alike = this.dear.findIndex(({ outline: other }) => other === found.outline);
    const known = this.dear[alike];
    const share = shareOf(cost, this.budget);
    if (known !== undefined) {
      if (shareOf(known.cost, this.budget) >= share) return;
      this.dear.splice(alike, 1);
    }
    const place = this.dear.findIndex((one) => shareOf(one.cost, this.budget) < share);
    this.dear.splice(place < 0 ? this.dear.length : place, 0, found);
    this.dear.length = Math.min(this.dear.length, KEPT);
  }
}
