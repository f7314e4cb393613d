import { branchingSchemas, isWithin, type NamedAttack } from './branching.ts';
import { budgetOf } from './budgets.ts';
import { CostService } from './costService.ts';
import { Meter } from './measure.ts';
import { Random } from './random.ts';
import type { Budget, Route } from './route.ts';
import { routesOf } from './routes.ts';
import { type Dear, RouteSearch, shareOf } from './searchRoute.ts';

/** What was found of one route. */
export interface RouteReport {
  readonly route: Route;
  readonly budget: Budget;
  readonly requests: number;
  readonly statuses: ReadonlyMap<number, number>;
  /** At most ten, the dearest first. */
  readonly dear: readonly Dear[];
  /** Bytes and rows that a request leaves behind, on average over many. */
  readonly keptBytes: number;
  readonly keptRows: number;
}

export interface CostReport {
  readonly requests: number;
  readonly routes: readonly RouteReport[];
  readonly named: readonly NamedAttack[];
  readonly rss: { readonly before: number; readonly after: number };
  /** What is over its budget, a line each. */
  readonly over: readonly string[];
}

export interface CostOptions {
  readonly requests: number;
  readonly seed: number;
  /** The search ends after so long, whether or not it has sent as many. */
  readonly minutes: number;
  /** Only routes whose name or surface has this word. */
  readonly only: string;
  readonly progress: (line: string) => void;
}

/** Inputs of each route that are reported. */
const REPORTED = 10;
/** Before the first measure: code is compiled, caches are filled. */
const WARM_UP = 6;
/** No route gets less than this part of what each would get if all got the same. */
const LEAST_SHARE = 0.05;
/** Requests over which what stays in memory is averaged: fewer where they are dear. */
const KEEPING = { most: 40, least: 8, cpuMs: 2_000 };
const PROGRESS_EVERY = 2_000;
/** Control changes what its network is; it gets a new one from time to time. */
const RENEW_CONTROL_EVERY = 500;

/**
 * Looks for what costs the service most, over all of its routes, and holds it to the budgets.
 */
export async function fuzzCost(options: CostOptions): Promise<CostReport> {
  const { seed, only } = options;
  const service = await CostService.start();
  const meter = new Meter(service);
  try {
    const routes = routesOf(service.started).filter(({ name, surface }) =>
      `${surface} ${name}`.includes(only),
    );
    const searches = routes.map(
      (route, n) => new RouteSearch(route, budgetOf(route), meter, new Random(seed + n)),
    );
    for (const { route } of searches) await warm(meter, route);
    const before = await service.figures({ collect: true });
    await search(searches, meter, options);
    const found: RouteReport[] = [];
    for (const one of searches) await one.judge();
    for (const one of searches) found.push(await reported(one, meter));
    const after = await service.figures({ collect: true });
    const named = await branchingSchemas(service, meter);
    return {
      requests: meter.sent,
      routes: found,
      named,
      rss: { before: before.rssBytes, after: after.rssBytes },
      over: [
        ...found.flatMap(overBudget),
        ...named
          .filter((one) => !isWithin(one))
          .map(({ name, cost }) => `${name}: ${inWords(cost)}`),
      ],
    };
  } finally {
    await service.close();
  }
}

async function warm(meter: Meter, route: Route): Promise<void> {
  for (let n = 0; n < WARM_UP; n++) {
    await meter.send(route, route.seeds[n % route.seeds.length] ?? null);
  }
}

/** Where requests are dear there are fewer of them, by the root of what they cost. */
async function search(
  searches: readonly RouteSearch[],
  meter: Meter,
  { requests, minutes, progress }: CostOptions,
): Promise<void> {
  const until = performance.now() + 60_000 * minutes;
  const floor = Math.floor((LEAST_SHARE * requests) / searches.length);
  let reportedAt = 0;
  let renewedAt = 0;
  while (meter.sent < requests && performance.now() < until) {
    const needy = searches.filter((one) => one.requests < floor);
    const [next] = (needy.length > 0 ? needy : [...searches]).sort(
      (a, b) => a.spentMs * a.requests - b.spentMs * b.requests,
    );
    if (next === undefined) throw new Error('no route has this name');
    await next.step();
    if (meter.sent - reportedAt >= PROGRESS_EVERY) {
      reportedAt = meter.sent;
      progress(`${meter.sent} after ${(performance.now() / 1_000).toFixed(0)} s …`);
    }
    const ofControl = searches.reduce(
      (sum, one) => sum + (one.route.surface === 'control' ? one.requests : 0),
      0,
    );
    if (ofControl - renewedAt >= RENEW_CONTROL_EVERY) {
      renewedAt = ofControl;
      await meter.service.renewControl();
    }
  }
}

/** What stays after many of the dearest inputs of a route. */
async function reported(one: RouteSearch, meter: Meter): Promise<RouteReport> {
  const { route, budget, requests, statuses } = one;
  const dear = one.dear.slice(0, REPORTED);
  const send = async (times: number): Promise<void> => {
    for (let n = 0; n < times; n++) {
      await meter.send(route, dear[n % dear.length]?.input ?? route.seeds[0] ?? null);
    }
  };
  // What is computed once and remembered is not kept by each request.
  await send(REPORTED);
  const usual = Math.max(1, dear[0]?.cost.cpuMs ?? 1);
  const times = Math.round(Math.min(KEEPING.most, Math.max(KEEPING.least, KEEPING.cpuMs / usual)));
  const before = await meter.service.figures({ rows: true, collect: true });
  await send(times);
  const after = await meter.service.figures({ rows: true, collect: true });
  return {
    route,
    budget,
    requests,
    statuses,
    dear,
    keptBytes: Math.max(0, after.heapBytes - before.heapBytes) / times,
    keptRows: (after.rows - before.rows) / times,
  };
}

/** What of a route's report is over its budget, a line each. */
export function overBudget({ route, budget, statuses, dear, keptBytes }: RouteReport): string[] {
  const name = `${route.surface} ${route.name}`;
  const lines = dear
    .filter(({ cost }) => shareOf(cost, budget) > 1 || cost.rows > budget.rows)
    .map(({ cost, outline }) => `${name}: ${inWords(cost)}: ${outline}`);
  if (keptBytes > budget.keptBytes) {
    lines.push(`${name}: keeps ${keptBytes.toFixed(0)} bytes a request`);
  }
  const failed = statuses.get(500) ?? 0;
  if (failed > 0) lines.push(`${name}: ${failed} answers with status 500`);
  return lines;
}

function inWords({ cpuMs, loopMs, answerBytes, rows }: Dear['cost']): string {
  return `${cpuMs.toFixed(1)} ms CPU, ${loopMs.toFixed(1)} ms of the serving thread, ${answerBytes} bytes, ${rows} rows`;
}
