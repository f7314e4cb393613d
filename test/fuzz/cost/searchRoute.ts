import { setTimeout } from 'node:timers/promises';
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
/** Inputs that are measured one by one before any are measured together. */
const ALONE_FIRST = 60;
/** Of so many steps one is measured alone: the search climbs by these. */
const ALONE_EVERY = 3;
/** As many inputs are measured together as are expected to take this part of the budget of one, all of them. */
const SHARE_TOGETHER = 0.6;
const MAX_TOGETHER = 24;
/** How much more than the least that is kept they have to cost on average to be looked at one by one. */
const PROMISING = 1.2;
/** How often an input over the budget is measured again when the search is over, and how long after the last time. */
const AGAIN = 12;
const AGAIN_AFTER_MS = 250;

/** The parts of a cost by which inputs are compared, each as a part of its budget. */
export function shareOf(cost: Cost, budget: Budget): number {
  return Math.max(
    cost.cpuMs / budget.cpuMs,
    cost.loopMs / budget.loopMs,
    cost.answerBytes / budget.answerBytes,
  );
}

/** The least of several measures in each of its parts: what an input costs at any rate. */
export function least(costs: readonly Cost[]): Cost {
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
  readonly #meter: Pick<Meter, 'cost' | 'together'>;
  readonly #random: Random;
  #seed = 0;
  #steps = 0;
  /** Part of the budget that an input has taken lately, by its time. */
  #usualShare = 1;

  constructor(
    route: Route,
    budget: Budget,
    meter: Pick<Meter, 'cost' | 'together'>,
    random: Random,
  ) {
    this.route = route;
    this.budget = budget;
    this.#meter = meter;
    this.#random = random;
  }

  /** Tries one input more, or several at once where inputs cost little: then most of the time would go into measuring. */
  async step(): Promise<void> {
    this.#steps += 1;
    const together = Math.min(MAX_TOGETHER, Math.floor(SHARE_TOGETHER / this.#usualShare));
    if (together < 2 || this.requests < ALONE_FIRST || this.#steps % ALONE_EVERY === 0) {
      await this.#tryAlone(this.#next());
      return;
    }
    await this.#tryTogether(Array.from({ length: together }, () => this.#next()));
  }

  /**
   * Measures inputs that are over the budget again, with pauses: one that was measured while the machine was busy with
   * something else is not over it.
   */
  async judge(): Promise<void> {
    for (const [at, { input, outline: of, cost }] of this.dear.entries()) {
      let lowest = cost;
      for (let n = 0; n < AGAIN && shareOf(lowest, this.budget) > 1; n += 1) {
        await setTimeout(AGAIN_AFTER_MS);
        const again = await this.#measure(input, false);
        if (again !== undefined) lowest = { ...least([lowest, again]), rows: lowest.rows };
      }
      this.dear[at] = { input, outline: of, cost: lowest };
    }
    this.dear.sort((a, b) => shareOf(b.cost, this.budget) - shareOf(a.cost, this.budget));
  }

  /** What an input has to cost to be kept. */
  get #bar(): number {
    const lowest = this.dear[KEPT - 1];
    return lowest === undefined ? 0 : shareOf(lowest.cost, this.budget);
  }

  async #tryAlone(input: Json): Promise<void> {
    const cost = await this.#measure(input, false);
    if (cost === undefined) return;
    const ofTime = Math.max(cost.cpuMs / this.budget.cpuMs, cost.loopMs / this.budget.loopMs);
    this.#usualShare = 0.9 * this.#usualShare + 0.1 * ofTime;
    const bar = this.#bar;
    if (shareOf(cost, this.budget) > bar) await this.#confirm(input, cost, bar);
  }

  /** Inputs that are within the budget of one all together need not be looked at one by one, unless they promise more. */
  async #tryTogether(inputs: readonly Json[]): Promise<void> {
    const cost = await this.#meter.together(this.route, inputs);
    if (cost === undefined) return;
    const { cpuMs, loopMs, answers } = cost;
    for (const { status } of answers) this.#count(status);
    this.spentMs += Math.max(0.2, cpuMs);
    const ofTime = Math.max(cpuMs / this.budget.cpuMs, loopMs / this.budget.loopMs);
    const ofBytes = Math.max(...answers.map((one) => one.answerBytes / this.budget.answerBytes));
    const each = Math.max(ofTime / answers.length, ofBytes);
    if (ofTime <= 1 && each <= PROMISING * this.#bar) return;
    for (const input of inputs) await this.#tryAlone(input);
  }

  #count(status: number): void {
    this.requests += 1;
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
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
    if (cost === undefined) return undefined;
    this.spentMs += Math.max(0.2, cost.cpuMs);
    this.#count(cost.status);
    return cost;
  }

  async #confirm(input: Json, first: Cost, bar: number): Promise<void> {
    const costs = [first];
    for (let n = 1; n < MEASURES_OVER; n++) {
      const share = shareOf(least(costs), this.budget);
      if (share <= bar || (n >= MEASURES && share <= 1)) break;
      // Counting rows takes longer than most requests.
      const again = await this.#measure(input, n === 1);
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
