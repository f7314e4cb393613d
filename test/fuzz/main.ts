// `npm run lab -- fuzz [BODIES [SEED]]`: mutated bodies against a facilitator, 100,000 of them by default.
// `npm run lab -- fuzz --cost [--requests N] [--minutes M] [--seed S] [--only WORD] [--write-docs]`: looks for what costs the
// service most, over all of its routes, and ends with status 1 where a request is over the budget of its route.

import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { positiveNumber, wholeNumber } from '../helpers/options.ts';
import { COST_FILE, printCosts } from './cost/printCosts.ts';
import { writeCostPage } from './cost/writeCostPage.ts';
import { fuzz } from './fuzzRun.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cost: { type: 'boolean', default: false },
    requests: { type: 'string', default: '200000' },
    minutes: { type: 'string', default: '600' },
    'write-docs': { type: 'boolean', default: false },
    seed: { type: 'string' },
    only: { type: 'string', default: '' },
  },
});
const [bodies = '100000', seed = values.seed ?? String(randomInt(2 ** 31))] = positionals;
if (values.cost) {
  const { requests, minutes, only } = values;
  const limits = {
    requests: wholeNumber('--requests', requests),
    minutes: positiveNumber('--minutes', minutes),
  };
  const held = await printCosts({ ...limits, seed: wholeNumber('--seed', seed, 0), only });
  if (values['write-docs']) writeCostPage(COST_FILE);
  if (!held) {
    console.error(
      `run alone: npm run lab -- fuzz --cost --requests ${requests} --minutes ${minutes} --seed ${seed} --only "${only}"`,
    );
  }
  process.exit(held ? 0 : 1);
}
console.log(`${bodies} bodies, seed ${seed}`);
const startedAt = performance.now();
const report = await fuzz(wholeNumber('BODIES', bodies), wholeNumber('SEED', seed, 0), (done) => {
  process.stderr.write(`${done} …\n`);
}).catch((error: unknown) => {
  console.error(error);
  console.error(`FAILED\nrun alone: npm run lab -- fuzz ${bodies} ${seed}`);
  process.exit(1);
});
const seconds = (performance.now() - startedAt) / 1_000;

function list(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `  ${String(count).padStart(7)}  ${name}`)
    .join('\n');
}

console.log(`\nsent ${report.bodies} in ${seconds.toFixed(0)} s; no 5xx, no unhandled rejection`);
console.log(`answers by status\n${list(report.statuses)}`);
console.log(`answers by outcome\n${list(report.outcomes)}`);
console.log(`heap, MB: ${report.heap.map((megabytes) => megabytes.toFixed(0)).join(' ')}`);
