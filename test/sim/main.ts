/**
 * `npm run lab -- sim [--seeds N] [--from SEED] [--seed SEED] [--under CIRCUMSTANCE]`
 *
 * Runs simulations of the facilitator, a seed each, under all circumstances in turn. With `--seed` it runs one and shows what
 * happened.
 */
import { parseArgs } from 'node:util';
import { wholeNumber } from '../helpers/options.ts';
import type { Contradiction } from '../helpers/truth/judge.ts';
import { CIRCUMSTANCES, circumstanceNamed } from './circumstances.ts';
import { simulate } from './simulate.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '10000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    under: { type: 'string' },
  },
});
const under = values.under === undefined ? undefined : circumstanceNamed(values.under);

if (values.seed !== undefined) {
  const { circumstance, trace, fault, settled, crashes, events } = await simulate(
    wholeNumber('--seed', values.seed, 0),
    under,
  );
  for (const line of trace) console.log(line);
  console.log(
    `seed ${values.seed}, ${circumstance}: ${settled} settled, ${crashes} crashes, ${events} events`,
  );
  if (fault !== undefined) console.error(`FAILED: ${fault}`);
  process.exit(fault === undefined ? 0 : 1);
}

const first = wholeNumber('--from', values.from, 0);
const seeds = wholeNumber('--seeds', values.seeds);
const started = Date.now();
/** Seeds that failed, by circumstance. */
const failed = new Map<string, number[]>(CIRCUMSTANCES.map(({ name }) => [name, []]));
/** Contradictions by kind, question and code, each with its first seed. */
const found = new Map<string, { count: number; readonly seed: number }>();
const sums = { settled: 0, crashes: 0, events: 0 };

function classOf({ kind, answers }: Contradiction): string {
  const text = answers.at(-1)?.text ?? '';
  const code = /"reason":"(\w+)"/.exec(text)?.[1] ?? /"state":"(\w+)"/.exec(text)?.[1] ?? '';
  return `${kind}, ${text.split(' ')[0]} ${code}`;
}

for (let seed = first; seed < first + seeds; seed++) {
  const { circumstance, fault, contradictions, ...did } = await simulate(seed, under);
  sums.settled += did.settled;
  sums.crashes += did.crashes;
  sums.events += did.events;
  for (const contradiction of contradictions) {
    const name = `${circumstance}: ${classOf(contradiction)}`;
    const group = found.get(name) ?? { count: 0, seed };
    group.count++;
    found.set(name, group);
  }
  if (fault !== undefined) {
    failed.get(circumstance)?.push(seed);
    const again = `run alone: npm run lab -- sim --seed ${seed}`;
    console.error(`seed ${seed}, ${circumstance}, FAILED: ${fault}\n${again}`);
  }
  const done = seed - first + 1;
  if (done % 1_000 === 0) {
    console.log(`  … ${done} seeds, ${Math.round((Date.now() - started) / 1000)} s`);
  }
}
for (const [name, { count, seed }] of [...found].sort()) {
  console.error(`${count} × ${name}, first with seed ${seed}`);
}
const those = [...failed.values()].flat();
for (const [circumstance, { length }] of failed) {
  if (length > 0) console.error(`${length} seeds failed: ${circumstance}`);
}
console.log(
  `${seeds} seeds: ${sums.settled} settled, ${sums.crashes} crashes, ${sums.events} events, ` +
    `${those.length} failed, ${Math.round((Date.now() - started) / 1000)} s`,
);
process.exit(those.length === 0 ? 0 : 1);
