// `npm run test:attacks`: named attacks against a service and its network, one line each. Ends with status 1 when one
// gets through. `-- --kind WORD` tries the kinds whose name has the word; `-- --with-buyers` has two honest buyers pay
// meanwhile and prints how long that takes them, `--payments N` each; it ends with status 1 when their p99 more than doubles.

import { parseArgs } from 'node:util';
import { type Latencies, payUnderAttack } from './buyers.ts';
import { KINDS } from './kinds/index.ts';
import { runAttacks } from './runAttacks.ts';
import { World } from './world.ts';

const { values } = parseArgs({
  options: {
    kind: { type: 'string', default: '' },
    'with-buyers': { type: 'boolean', default: false },
    payments: { type: 'string', default: '100' },
  },
});

async function tryAll(): Promise<boolean> {
  const kinds = KINDS.filter(({ kind }) => kind.includes(values.kind));
  const world = await World.open();
  const report = await runAttacks(kinds, world, (line) => console.log(line));
  await world.close();
  const failing = kinds.filter(({ kind }) =>
    report.through.some((name) => name.startsWith(`${kind}: `)),
  );
  for (const { kind } of failing)
    console.log(`run alone: npm run test:attacks -- --kind "${kind}"`);
  return report.through.length === 0 && report.attacks > 0;
}

function words({ payments, p50, p99 }: Latencies): string {
  return `${payments} payments, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`;
}

/** How many times as long an honest payment may take while the service is attacked (99 of 100). */
const MOST_RATIO = 2;

async function payMeanwhile(): Promise<boolean> {
  const { without, during, attacks, ratio } = await payUnderAttack(Number(values.payments));
  console.log(`without attacks: ${words(without)}`);
  console.log(`during ${attacks} attacks: ${words(during)}`);
  console.log(
    `two honest buyers: p99 during the attacks is ${ratio.toFixed(2)} times that without (at most ${MOST_RATIO})`,
  );
  if (ratio > MOST_RATIO) {
    console.log(`run alone: npm run test:attacks -- --with-buyers --payments ${values.payments}`);
  }
  return ratio <= MOST_RATIO;
}

const held = values['with-buyers'] ? await payMeanwhile() : await tryAll();
process.exit(held ? 0 : 1);
