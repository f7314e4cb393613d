/**
 * `npm run lab -- proxy [--sales 2000] [--settle after|before] [--every MS] [--seed N]`
 *
 * Kills the paying proxy, its facilitator and its upstream while buyers pay, and compares the answers with the ledger.
 */
import { parseArgs } from 'node:util';
import { runKills } from './runKills.ts';

const { values } = parseArgs({
  options: {
    sales: { type: 'string', default: '2000' },
    settle: { type: 'string', default: 'after' },
    every: { type: 'string', default: '1500' },
    seed: { type: 'string', default: '1' },
  },
});
const report = await runKills({
  sales: Number(values.sales),
  buyers: 8,
  settle: values.settle === 'before' ? 'before' : 'after',
  everyMs: Number(values.every),
  seed: Number(values.seed),
  say: (line) => console.log(`  … ${line}`),
});
console.log(JSON.stringify(report, null, 2));
process.exit(report.contradictions.length === 0 ? 0 : 1);
