import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { overBudget } from './fuzzCost.ts';
import { changedAt, type Json, lengthOf, outline, pathsOf } from './json.ts';
import type { Cost } from './measure.ts';
import { mutated } from './mutate.ts';
import { Random } from './random.ts';
import type { Budget, Route } from './route.ts';
import { RouteSearch } from './searchRoute.ts';

const SEED: Json = { words: ['one', 'two'], deep: { a: 1 } };
const BUDGET: Budget = { cpuMs: 10, loopMs: 10, answerBytes: 1_000, keptBytes: 100, rows: 0 };
const ROUTE: Route = {
  name: 'POST /anything',
  surface: 'facilitator',
  sending: { as: 'json', path: '/anything' },
  maxBytes: 32_768,
  seeds: [SEED],
};

function costOf(cpuMs: number): Cost {
  const nothing = { loopMs: 0, answerBytes: 0, rssBytes: 0, sockets: 0, rows: 0 };
  return { ...nothing, cpuMs, status: 200 };
}

/** A route that costs by the square of the members that an input has in one place. */
async function quadratic(_route: Route, input: Json): Promise<Cost | undefined> {
  if (JSON.stringify(input).length > ROUTE.maxBytes) return undefined;
  const { words } = (input ?? {}) as { words?: Json };
  return costOf(Array.isArray(words) ? words.length ** 2 / 1_000 : 0);
}

type MeterOf = ConstructorParameters<typeof RouteSearch>[2];

/** A meter for which inputs cost together what they cost one by one. */
function meterOf(cost: (route: Route, input: Json) => Promise<Cost | undefined>): MeterOf {
  return {
    cost,
    async together(route, inputs) {
      const costs = await Promise.all(inputs.map((input) => cost(route, input)));
      const answers = costs.filter((one) => one !== undefined);
      if (answers.length === 0) return undefined;
      const sum = (read: (one: Cost) => number): number =>
        answers.reduce((total, one) => total + read(one), 0);
      return { cpuMs: sum((one) => one.cpuMs), loopMs: sum((one) => one.loopMs), answers };
    },
  };
}

async function searched(seed: number, steps: number): Promise<RouteSearch> {
  const search = new RouteSearch(ROUTE, BUDGET, meterOf(quadratic), new Random(seed));
  for (let n = 0; n < steps; n++) await search.step();
  return search;
}

describe('The search for expensive requests', () => {
  it('climbs from harmless seeds to inputs over the budget', async () => {
    const { dear } = await searched(1, 250);
    assert.ok((dear[0]?.cost.cpuMs ?? 0) > BUDGET.cpuMs, `${dear[0]?.cost.cpuMs} ms`);
    const costs = dear.map(({ cost }) => cost.cpuMs);
    assert.deepEqual(
      costs,
      [...costs].sort((a, b) => b - a),
    );
  });

  it('keeps one input of each outline', async () => {
    const outlines = (await searched(2, 120)).dear.map((one) => one.outline);
    assert.equal(new Set(outlines).size, outlines.length);
  });

  it('finds the same with the same seed', async () => {
    const [one, two] = [await searched(3, 80), await searched(3, 80)];
    assert.deepEqual(one.dear, two.dear);
  });

  it('does not mistake a pause of the machine for the cost of an input', async () => {
    let calls = 0;
    const cost = async (): Promise<Cost> => {
      calls += 1;
      return costOf(calls === 1 ? 1_000 : 1);
    };
    const search = new RouteSearch(ROUTE, BUDGET, meterOf(cost), new Random(4));
    await search.step();
    assert.equal(search.dear[0]?.cost.cpuMs, 1);
  });
});

describe('Inputs that are measured together', () => {
  /** Costs next to nothing, except for one input of many. */
  const rare = async (_route: Route, input: Json): Promise<Cost | undefined> =>
    costOf(JSON.stringify(input).includes('(a+)+(a+)+') ? 50 : 0.01);

  it('are examined one by one if one of them is over the budget', async () => {
    const search = new RouteSearch(ROUTE, BUDGET, meterOf(rare), new Random(6));
    for (let n = 0; n < 200; n++) await search.step();
    assert.equal(search.dear[0]?.cost.cpuMs, 50);
    assert.ok(overBudget({ ...search, keptBytes: 0, keptRows: 0 }).length > 0);
  });

  it('make up most of the requests of a cheap route', async () => {
    let alone = 0;
    const { cost, together } = meterOf(async () => costOf(0.01));
    const counted: MeterOf = {
      cost: (...asked) => {
        alone += 1;
        return cost(...asked);
      },
      together,
    };
    const search = new RouteSearch(ROUTE, BUDGET, counted, new Random(7));
    for (let n = 0; n < 150; n++) await search.step();
    assert.ok(search.requests > 5 * alone, `${alone} of ${search.requests}`);
  });
});

describe('An input over the budget', () => {
  it('is measured again when the machine has less to do', async () => {
    let calls = 0;
    const cost = async (): Promise<Cost> => {
      calls += 1;
      return costOf(calls < 9 ? 20 : 2);
    };
    const search = new RouteSearch(ROUTE, BUDGET, meterOf(cost), new Random(8));
    await search.step();
    assert.equal(search.dear[0]?.cost.cpuMs, 20);
    await search.judge();
    assert.equal(search.dear[0]?.cost.cpuMs, 2);
  });
});

describe('A failing run', () => {
  const report = {
    route: ROUTE,
    budget: BUDGET,
    requests: 1,
    statuses: new Map([[200, 1]]),
    dear: [{ input: SEED, outline: outline(SEED), cost: costOf(5) }],
    keptBytes: 0,
    keptRows: 0,
  };

  it('nothing within the budget', () => assert.deepEqual(overBudget(report), []));

  const OVER = {
    'CPU over the budget': { dear: [{ ...report.dear[0], cost: costOf(11) }] },
    'a row where none may be': { dear: [{ ...report.dear[0], cost: { ...costOf(1), rows: 1 } }] },
    'memory that stays': { keptBytes: 101 },
    'an answer with status 500': { statuses: new Map([[500, 1]]) },
  };
  for (const [name, change] of Object.entries(OVER)) {
    it(name, () => {
      assert.equal(overBudget({ ...report, ...change } as typeof report).length, 1);
    });
  }
});

describe('Changes of an input', () => {
  it('leave the input that they are made from unchanged', () => {
    const before = JSON.stringify(SEED);
    const random = new Random(5);
    for (let n = 0; n < 500; n++) mutated(SEED, SEED, random);
    for (const path of pathsOf(SEED)) changedAt(SEED, path, () => undefined);
    assert.equal(JSON.stringify(SEED), before);
  });

  it('end when no route accepts them, however often parts repeat', () => {
    const repeated = (part: Json): Json => Array.from({ length: 1_000 }, () => part);
    const huge = repeated(repeated(repeated('x')));
    const random = new Random(1);
    for (let n = 0; n < 50; n++) {
      const made = mutated([1], huge, random);
      assert.ok(lengthOf(made, 2 << 20) <= 1 << 20);
    }
  });
});
