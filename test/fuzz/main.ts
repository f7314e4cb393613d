// `npm run test:fuzz [-- BODIES [SEED]]`: mutated bodies against a facilitator, 100,000 of them by default.

import { randomInt } from 'node:crypto';
import { fuzz } from './fuzzRun.ts';

const [bodies = '100000', seed = String(randomInt(2 ** 31))] = process.argv.slice(2);
console.log(`${bodies} bodies, seed ${seed}`);
const startedAt = performance.now();
const report = await fuzz(Number(bodies), Number(seed), (done) => {
  process.stderr.write(`${done} …\n`);
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
