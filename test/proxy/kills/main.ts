/**
 * `npm run lab -- proxy [--sales 2000] [--settle after|before] [--every MS] [--seed N]`
 *
 * Kills the paying proxy, its facilitator and its upstream while buyers pay, and compares the answers with the ledger.
 */
import { parseArgs } from 'node:util';
import { oneOf, wholeNumber } from '../../helpers/options.ts';
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
  sales: wholeNumber('--sales', values.sales),
  buyers: 8,
  settle: oneOf('--settle', values.settle, ['after', 'before']),
  everyMs: wholeNumber('--every', values.every),
  seed: wholeNumber('--seed', values.seed, 0),
  say: (line) => console.log(`  … ${line}`),
});
console.log(JSON.stringify(report, null, 2));
// An open sale was not judged.
process.exit(report.contradictions.length === 0 && report.open === 0 ? 0 : 1);
