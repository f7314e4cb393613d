/**
 * Lets three processes find the lock of a dead process at the same moment, and counts double holders.
 * `npm run test:locks [-- --rounds N] [--lanes N]`; `--runner FILE` where the runner was bundled.
 */
import { parseArgs } from 'node:util';
import { runLockRounds } from './lockRounds.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5000' },
    lanes: { type: 'string', default: '1' },
    runner: { type: 'string' },
  },
});
const begun = performance.now();
const { rounds, double, nobody, failed } = await runLockRounds(Number(values.rounds), {
  lanes: Number(values.lanes),
  runner: values.runner,
});
const seconds = ((performance.now() - begun) / 1000).toFixed(1);
console.log(
  `${rounds} rounds of three processes: ${double} double holders, ${nobody} without a holder, ${failed} failed, ${seconds} s`,
);
process.exit(double + nobody + failed === 0 ? 0 : 1);
