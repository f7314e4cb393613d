/**
 * `npm run test:sim [-- --seeds N] [--from SEED] [--seed SEED]`
 *
 * Runs simulations of the facilitator, a seed each. With `--seed` it runs one and shows what happened.
 */
import { parseArgs } from 'node:util';
import { simulate } from './simulate.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '10000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
  },
});

if (values.seed !== undefined) {
  const { trace, fault, settled, crashes, events } = await simulate(Number(values.seed));
  for (const line of trace) console.log(line);
  console.log(`seed ${values.seed}: ${settled} settled, ${crashes} crashes, ${events} events`);
  if (fault !== undefined) console.error(`FAILED: ${fault}`);
  process.exit(fault === undefined ? 0 : 1);
}

const first = Number(values.from);
const seeds = Number(values.seeds);
const started = Date.now();
const failed: number[] = [];
const sums = { settled: 0, crashes: 0, events: 0 };
for (let seed = first; seed < first + seeds; seed++) {
  const { fault, settled, crashes, events } = await simulate(seed);
  sums.settled += settled;
  sums.crashes += crashes;
  sums.events += events;
  if (fault !== undefined) {
    failed.push(seed);
    console.error(`seed ${seed} FAILED: ${fault}\n  run alone: npm run test:sim -- --seed ${seed}`);
  }
  const done = seed - first + 1;
  if (done % 1_000 === 0) {
    console.log(`  … ${done} seeds, ${Math.round((Date.now() - started) / 1000)} s`);
  }
}
console.log(
  `${seeds} seeds: ${sums.settled} settled, ${sums.crashes} crashes, ${sums.events} events, ` +
    `${failed.length} failed, ${Math.round((Date.now() - started) / 1000)} s`,
);
process.exit(failed.length === 0 ? 0 : 1);
