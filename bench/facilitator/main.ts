// `npm run bench -- facilitator [--no-peers] [--short] [--only-demand] [--warm N]`

import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { installPeers } from '../installPeers.ts';
import { table } from '../table.ts';
import { bundled } from './bundled.ts';
import { Child } from './childProcess.ts';
import { SellerClient } from './client.ts';
import { type Latency, oneByOne, sideBySide, type Target, type Throughput } from './measure.ts';
import { openWorld, type World } from './world.ts';

const has = (flag: string): boolean => process.argv.includes(flag);
const short = has('--short');
/** Requests of each kind before anything is measured, so that a service is measured that has run for a while. */
const warm = Number(process.argv[process.argv.indexOf('--warm') + 1] ?? Number.NaN);
/** Requests in each measurement. */
const AMOUNTS = short
  ? { warm: 20, verify: 100, settle: 60, side: { 1: 60, 10: 150, 50: 300 } as const, every5s: 100 }
  : {
      warm: has('--warm') ? warm : 600,
      verify: 500,
      settle: 200,
      side: { 1: 200, 10: 400, 50: 600 } as const,
      every5s: 150,
    };

interface Candidate {
  readonly name: string;
  readonly script: readonly string[];
  /** Whether it signs with 50 channel accounts and a sponsor, or with one account for everything. */
  readonly pooled: boolean;
}

const OURS: Candidate = {
  name: 'svc-x402',
  pooled: true,
  script: [await bundled('facilitatorProcess.ts')],
};
const REFERENCE = [fileURLToPath(new URL('../peers/referenceFacilitator.mjs', import.meta.url))];
/** Set up according to its documentation, with the same accounts as ours. */
const REFERENCES: readonly Candidate[] = [
  { name: '@x402, one signer', script: REFERENCE, pooled: false },
  { name: '@x402, 50 channels', script: REFERENCE, pooled: true },
];

interface Measured {
  readonly name: string;
  readonly verify: Latency;
  readonly settle: Latency;
  readonly onDemand: readonly Throughput[];
  readonly every5s: Throughput | undefined;
  readonly memory: { readonly first: number; readonly last: number };
}

async function measureAll(candidate: Candidate, world: World): Promise<Measured> {
  const { name, script, pooled } = candidate;
  process.stderr.write(`measuring ${name} …\n`);
  const signing = await world.openSigning(name);
  const child = await Child.start<{ port: number }>(script, {
    rpcUrl: world.urls.rpc,
    horizonUrl: world.urls.horizon,
    pooled,
    ...signing,
  });
  const target: Target = { client: new SellerClient(child.told.port), process: child };
  try {
    const first = child.megabytes();
    await oneByOne(target, '/settle', await world.payments(AMOUNTS.warm, 50));
    await oneByOne(target, '/verify', await world.payments(AMOUNTS.warm, 50));
    const verify = await oneByOne(target, '/verify', await world.payments(AMOUNTS.verify, 50));
    const settle = await oneByOne(target, '/settle', await world.payments(AMOUNTS.settle, 50));
    const onDemand: Throughput[] = [];
    for (const buyers of [1, 10, 50] as const) {
      const payments = await world.payments(AMOUNTS.side[buyers], 50);
      onDemand.push(await sideBySide(target, payments, buyers, world));
    }
    let every5s: Throughput | undefined;
    if (!has('--only-demand')) {
      await world.closeBy({ mode: 'interval', milliseconds: 5_000 });
      const payments = await world.payments(AMOUNTS.every5s, 50);
      every5s = await sideBySide(target, payments, 50, world);
      await world.closeBy({ mode: 'demand' });
    }
    return { name, verify, settle, onDemand, every5s, memory: { first, last: child.megabytes() } };
  } finally {
    target.client.close();
    await child.stop();
  }
}

const withPeers = !has('--no-peers');
if (withPeers) installPeers();
console.log(
  `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}\n`,
);
const world = await openWorld();
const measured: Measured[] = [];
try {
  for (const candidate of withPeers ? [OURS, ...REFERENCES] : [OURS]) {
    measured.push(await measureAll(candidate, world));
  }
} finally {
  await world.close();
}

const ms = (value: number): string => value.toFixed(2);
const told = ({ perSecond, failed }: Throughput): string =>
  `${perSecond.toFixed(1)}${failed === 0 ? '' : ` (${failed} failed)`}`;
const at = ({ onDemand }: Measured, buyers: number): Throughput | undefined =>
  onDemand.find((one) => one.buyers === buyers);
const rowFor = (buyers: number): [string, ...string[]][] => [
  [
    `settlements a second, ${buyers} buyers`,
    ...measured.map((one) => told(at(one, buyers) ?? missing())),
  ],
  [
    '  in each ledger',
    ...measured.map((one) => {
      const { settled, ledgers } = at(one, buyers) ?? missing();
      return ledgers === 0 ? '–' : (settled / ledgers).toFixed(1);
    }),
  ],
  [
    '  CPU of the facilitator for each, ms',
    ...measured.map((one) => ms((at(one, buyers) ?? missing()).cpuMs)),
  ],
];

function missing(): never {
  throw new Error('This was not measured.');
}

const every5s = measured.flatMap((one) => (one.every5s ? [one.every5s] : []));
console.log(
  table(
    ['', ...measured.map(({ name }) => name)],
    [
      ['/verify, ms, p50', ...measured.map(({ verify }) => ms(verify.p50))],
      ['/verify, ms, p99', ...measured.map(({ verify }) => ms(verify.p99))],
      ['/settle, ms, p50', ...measured.map(({ settle }) => ms(settle.p50))],
      ['/settle, ms, p99', ...measured.map(({ settle }) => ms(settle.p99))],
      ...[1, 10, 50].flatMap(rowFor),
      ...(every5s.length < measured.length
        ? []
        : [
            ['ledgers every 5 s, 50 buyers: settlements a second', ...every5s.map(told)],
            [
              '  in each ledger',
              ...every5s.map(({ settled, ledgers }) => (settled / Math.max(ledgers, 1)).toFixed(1)),
            ],
          ]),
      ['memory at first answer, MB', ...measured.map(({ memory }) => memory.first.toFixed(0))],
      ['memory after all this, MB', ...measured.map(({ memory }) => memory.last.toFixed(0))],
    ],
  ),
);
console.log('');
for (const { name, onDemand, every5s: slow } of measured) {
  for (const { buyers, reasons } of [...onDemand, ...(slow ? [slow] : [])]) {
    for (const [reason, count] of Object.entries(reasons)) {
      console.log(`${name}, ${buyers} buyers: ${count} × ${reason}`);
    }
  }
}
console.log(
  '\nAll ran one after the other on one network in a process of its own, each with accounts of its own.\n' +
    '@x402 is @x402/core 2.21.0 and @x402/stellar 2.9.0 behind the smallest HTTP server.\n' +
    'The reference asks public Horizon how fast ledgers close; here that question is led to the network under test.\n' +
    'Ours and the network run bundled, as they ship.\n' +
    'Aims: /verify p50 ≤ 1.8 ms and p99 ≤ 5, /settle p50 ≤ 6 ms and p99 ≤ 12; with 50 buyers 500 settlements a second on\n' +
    'demand, each for 1.5 ms of CPU of the facilitator; 50 in every 5 s ledger, and ten times the reference there.',
);
