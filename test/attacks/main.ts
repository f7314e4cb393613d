// `npm run lab -- attacks`: named attacks against a service and its network, one line each. Ends with status 1 when one
// gets through. Then, of the kinds that concern what strangers share, each is tried while two honest buyers pay once a second:
// none of their payments may be refused or held up; `--seconds N` for each kind. `-- --kind WORD` tries the kinds whose name has
// the word. `-- --with-buyers` has them pay as fast as they can while those kinds are tried that need two ports only, and prints
// how long that takes them, `--payments N` each; it ends with status 1 when their p99 more than doubles.

import { parseArgs } from 'node:util';
import { positiveNumber, wholeNumber } from '../helpers/options.ts';
import { type Latencies, payUnderAttack } from './buyers.ts';
import { type CrowdLine, payInCrowd } from './crowd.ts';
import { CROWD, KINDS } from './kinds/index.ts';
import { runAttacks } from './runAttacks.ts';
import { World } from './world.ts';

const { values } = parseArgs({
  options: {
    kind: { type: 'string', default: '' },
    'with-buyers': { type: 'boolean', default: false },
    payments: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '6' },
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
  for (const { kind } of failing) console.log(`run alone: npm run lab -- attacks --kind "${kind}"`);
  return report.through.length === 0 && report.attacks > 0;
}

function words({ payments, p50, p99 }: Latencies): string {
  return `${payments} payments, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`;
}

/** How many times as long an honest payment may take while the service is attacked (99 of 100). */
const MAX_RATIO = 2;

async function payMeanwhile(): Promise<boolean> {
  const { without, during, attacks, ratio } = await payUnderAttack(
    wholeNumber('--payments', values.payments),
  );
  console.log(`without attacks: ${words(without)}`);
  console.log(`during ${attacks} attacks: ${words(during)}`);
  console.log(
    `two honest buyers: p99 during the attacks is ${ratio.toFixed(2)} times that without (at most ${MAX_RATIO})`,
  );
  if (ratio > MAX_RATIO) {
    console.log(`run alone: npm run lab -- attacks --with-buyers --payments ${values.payments}`);
  }
  return ratio <= MAX_RATIO;
}

/**
 * An honest payment that takes this much longer than twice the calm time was held up. What a busy machine adds is less: the
 * ratio itself is printed.
 */
const HELD_UP_MS = 5_000;

function crowdWords({ kind, attacks, refused, p50, p99, payments }: CrowdLine, calm: number) {
  const times = `p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`;
  const ratio = `${(p99 / calm).toFixed(2)} times the calm one, wanted at most ${MAX_RATIO}`;
  const rest = attacks === 0 ? '' : ` (${ratio}); ${attacks} attacks`;
  return `beside ${kind}: ${payments} honest payments, ${refused.length} refused, ${times}${rest}`;
}

/** Has the buyers pay in the crowd. @returns whether they noticed nothing */
async function payBeside(): Promise<boolean> {
  const names = CROWD.map(({ kind }) => kind).filter((kind) => kind.includes(values.kind));
  if (names.length === 0) return true;
  let calmP99 = 0;
  const { calm, kinds } = await payInCrowd(
    names,
    positiveNumber('--seconds', values.seconds),
    (line) => {
      if (line.attacks === 0) calmP99 = line.p99;
      console.log(crowdWords(line, calmP99));
    },
  );
  const faults = [calm, ...kinds].flatMap((line) => [
    ...line.refused.map((why) => `beside ${line.kind}, an honest payment was refused: ${why}`),
    ...line.through.map((what) => `GOT THROUGH  ${line.kind}: ${what}`),
    ...(line.p99 > MAX_RATIO * calm.p99 + HELD_UP_MS ? [`${line.kind} held payments up`] : []),
    ...(line !== calm && line.attacks === 0 ? [`${line.kind}: nothing was tried`] : []),
  ]);
  for (const fault of faults) console.log(fault);
  return faults.length === 0;
}

async function tryAndPay(): Promise<boolean> {
  const refused = await tryAll();
  const unnoticed = await payBeside();
  return refused && unnoticed;
}

const held = values['with-buyers'] ? await payMeanwhile() : await tryAndPay();
process.exit(held ? 0 : 1);
