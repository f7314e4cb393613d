/**
 * Lets three processes find the lock of a dead process at the same moment, and counts double holders.
 * `npm run lab -- locks [--rounds N] [--lanes N] [--counts FILE]`; `--runner FILE` where the runner was bundled.
 *
 * `--counts FILE` keeps the counts in a file after each round, for a reader that cannot rely on what is printed. Exit status: 2 if
 * a lock was wrong, 1 if a round could not be judged, else 0.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { wholeNumber } from '../helpers/options.ts';
import { runLockRounds } from './lockRounds.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5000' },
    lanes: { type: 'string', default: '1' },
    runner: { type: 'string' },
    counts: { type: 'string' },
  },
});
const begun = performance.now();
const { rounds, double, nobody, failed } = await runLockRounds(
  wholeNumber('--rounds', values.rounds),
  {
    lanes: wholeNumber('--lanes', values.lanes),
    runner: values.runner,
    onCounts: (counts) => {
      if (values.counts !== undefined) writeFileSync(values.counts, JSON.stringify(counts));
    },
  },
);
const seconds = ((performance.now() - begun) / 1000).toFixed(1);
console.log(
  `${rounds} rounds of three processes: ${double} double holders, ${nobody} without a holder, ${failed} failed, ${seconds} s`,
);
process.exit(double + nobody > 0 ? 2 : failed > 0 ? 1 : 0);
