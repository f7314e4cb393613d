// `npm run bench -- proxy [--short]`

import { cpus, loadavg } from 'node:os';
import { sign } from '../../test/proxy/support/shop.ts';
import { bundled } from '../facilitator/bundled.ts';
import { Child } from '../facilitator/childProcess.ts';
import { SellerClient } from '../facilitator/client.ts';
import { openWorld, type World } from '../facilitator/world.ts';
import { table } from '../table.ts';
import { get, type Load, load, opened } from './rawClient.ts';
import type { Server } from './server.ts';
import { type Servers, startServers } from './servers.ts';

const short = process.argv.includes('--short');
const ROUNDS = short ? 5 : 9;
/** Of one series of free requests. */
const SERIES_MS = short ? 600 : 1_500;
const PAID = short ? { rounds: 3, batches: 3 } : { rounds: 5, batches: 8 };
const BUYERS = 10;
const CONNECTIONS = [1, 32] as const;
const IDLE = 1_000;
/** How long a payment may be settled: 120 seconds, as the proxy asks. */
const LEDGERS = 24;
/** Sales whose payments are signed at once. Each closes one ledger at most, so that none expires before its turn. */
const BATCH = 20;

/** One series: what it cost the server. */
interface Series {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly cpuMs: number;
}

/** What is measured in turns: a server, and a request. */
interface Subject {
  readonly name: string;
  readonly server: Server;
  readonly request: Buffer;
  readonly status: number;
}

function seriesOf({ seconds, taken }: Load, cpuSeconds: number): Series {
  const at = (share: number): number =>
    taken[Math.min(taken.length - 1, Math.floor(share * taken.length))] ?? Number.NaN;
  return {
    perSecond: taken.length / seconds,
    ...{ p50: at(0.5), p99: at(0.99), cpuMs: (1_000 * cpuSeconds) / taken.length },
  };
}

function requireOnly(status: number, { statuses }: Load, name: string): void {
  const others = Object.keys(statuses).filter((each) => Number(each) !== status);
  if (others.length > 0) throw new Error(`${name} answered ${JSON.stringify(statuses)}`);
}

async function measure(subject: Subject, connections: number, ms: number): Promise<Series> {
  const { server, request, status, name } = subject;
  const until = performance.now() + ms;
  const cpu = server.cpuSeconds();
  const done = await load(server.port, connections, () =>
    performance.now() < until ? request : undefined,
  );
  requireOnly(status, done, name);
  return seriesOf(done, server.cpuSeconds() - cpu);
}

/** The median of each figure, so that a round that something else on the machine disturbed changes little. */
function middle(series: readonly Series[]): Series {
  const of = (figure: keyof Series): number => {
    const sorted = series.map((one) => one[figure]).sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  };
  return {
    ...{ perSecond: of('perSecond'), p50: of('p50'), p99: of('p99'), cpuMs: of('cpuMs') },
  };
}

const shown = ({ perSecond, p50, p99, cpuMs }: Series): string[] => [
  ...[perSecond.toFixed(0), p50.toFixed(3), p99.toFixed(2), cpuMs.toFixed(3)],
];
const HEADER = ['a second', 'p50, ms', 'p99, ms', 'CPU of the server for each, ms'] as const;

/** Rounds in which each subject has its turn. */
async function inTurns<Name extends string>(
  rounds: number,
  subjects: readonly (readonly [Name, () => Promise<Series>])[],
): Promise<ReadonlyMap<Name, Series>> {
  const measured = new Map<Name, Series[]>(subjects.map(([name]) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    // Each round begins with another subject.
    for (let at = 0; at < subjects.length; at++) {
      const subject = subjects[(at + round) % subjects.length];
      if (subject === undefined) continue;
      measured.get(subject[0])?.push(await subject[1]());
    }
  }
  return new Map([...measured].map(([name, series]) => [name, middle(series)]));
}

async function unpaid({ upstream, bare, nginx, proxy, engine }: Servers): Promise<void> {
  const free = get('/free/Lima');
  const sold = get('/paid/Lima');
  const subjects: Subject[] = [upstream, bare, ...(nginx ? [nginx] : []), proxy].map((server) => ({
    ...{ name: `${server.name}, 200`, server, request: free, status: 200 },
  }));
  for (const server of [engine, proxy]) {
    subjects.push({ name: `${server.name}, 402`, server, request: sold, status: 402 });
  }
  for (const subject of subjects) await measure(subject, 32, 2_000);
  for (const connections of CONNECTIONS) {
    const measured = await inTurns(
      ROUNDS,
      subjects.map(
        (subject) => [subject.name, () => measure(subject, connections, SERIES_MS)] as const,
      ),
    );
    console.log(`\nWithout a payment, ${connections} connection${connections === 1 ? '' : 's'}:\n`);
    console.log(
      table(
        ['', ...HEADER],
        [...measured].map(([name, series]) => [name, ...shown(series)]),
      ),
    );
    const [plain, ours, challenge] = [
      `${bare.name}, 200`,
      `${proxy.name}, 200`,
      `${proxy.name}, 402`,
    ].map((name) => measured.get(name));
    if (plain === undefined || ours === undefined || challenge === undefined) continue;
    console.log(
      `\nThe proxy beside node:http: p50 ${(ours.p50 - plain.p50).toFixed(3)} ms more, ` +
        `${((100 * ours.perSecond) / plain.perSecond).toFixed(0)} % of its requests a second. ` +
        `402 beside 200 of the proxy: ${((100 * challenge.perSecond) / ours.perSecond).toFixed(0)} %.`,
    );
  }
}

/** Sales with payments that were signed before the clock started. */
async function paid(
  world: World,
  { proxy, engine }: Servers,
  facilitator: { readonly server: Child<unknown>; readonly client: SellerClient },
): Promise<void> {
  let made = 0;
  const batch = async (server: Server): Promise<Buffer[]> => {
    const requests: Buffer[] = [];
    for (let sale = 0; sale < BATCH; sale++) {
      const buyer = world.buyers[sale % world.buyers.length] ?? world.seller;
      const target = `/paid/${made++}`;
      const url = `http://127.0.0.1:${server.port}`;
      const header = await sign(world.local, buyer, world.seller, url, target, {}, LEDGERS);
      requests.push(get(target, { 'payment-signature': header }));
    }
    return requests;
  };
  const through = async (server: Server): Promise<Series> => {
    const taken: number[] = [];
    let seconds = 0;
    let cpuSeconds = 0;
    for (let at = 0; at < PAID.batches; at++) {
      const queue = (await batch(server)).values();
      const cpu = server.cpuSeconds();
      const done = await load(server.port, BUYERS, () => queue.next().value);
      requireOnly(200, done, server.name);
      cpuSeconds += server.cpuSeconds() - cpu;
      seconds += done.seconds;
      taken.push(...done.taken);
    }
    return seriesOf({ seconds, taken: taken.sort((a, b) => a - b), statuses: {} }, cpuSeconds);
  };
  const alone = async (): Promise<Series> => {
    const queue = (await world.payments(PAID.batches * BATCH, world.buyers.length)).values();
    const taken: number[] = [];
    const cpu = facilitator.server.cpuSeconds();
    const begun = performance.now();
    const seller = async (): Promise<void> => {
      for (const payment of queue) {
        const started = performance.now();
        for (const path of ['/verify', '/settle'] as const) {
          const answer = await facilitator.client.post(path, payment);
          if (answer.isValid !== true && answer.success !== true) {
            throw new Error(`${path}: ${JSON.stringify(answer)}`);
          }
        }
        taken.push(performance.now() - started);
      }
    };
    await Promise.all(Array.from({ length: BUYERS }, seller));
    const seconds = (performance.now() - begun) / 1_000;
    const done = { seconds, taken: taken.sort((a, b) => a - b), statuses: {} };
    return seriesOf(done, facilitator.server.cpuSeconds() - cpu);
  };
  const subjects = [
    ['the facilitator itself: /verify, then /settle', alone],
    [engine.name, () => through(engine)],
    [proxy.name, () => through(proxy)],
  ] as const;
  for (const [, warm] of subjects) await warm();
  const measured = await inTurns(PAID.rounds, subjects);
  console.log(`\nPaid, ledgers on demand, ${BUYERS} buyers at once:\n`);
  console.log(
    table(
      ['', ...HEADER],
      [...measured].map(([name, series]) => [name, ...shown(series)]),
    ),
  );
  const rate = (name: (typeof subjects)[number][0]): number =>
    measured.get(name)?.perSecond ?? Number.NaN;
  const share = (100 * rate(proxy.name)) / rate('the facilitator itself: /verify, then /settle');
  console.log(`\nThe proxy sells at ${share.toFixed(0)} % of the facilitator's own rate.`);
}

/** The most memory that a server has while something is done. */
async function mostMegabytes(server: Server, work: () => Promise<void>): Promise<number> {
  let most = server.megabytes();
  const look = setInterval(() => {
    most = Math.max(most, server.megabytes());
  }, 20);
  await work().finally(() => clearInterval(look));
  return most;
}

async function memory(world: World, { proxy }: Servers): Promise<void> {
  const rows: string[][] = [['after all this', proxy.megabytes().toFixed(0)]];
  const once = async (request: Buffer): Promise<void> => {
    const requests = [request].values();
    requireOnly(200, await load(proxy.port, 1, () => requests.next().value), '200 MB');
  };
  const free = await mostMegabytes(proxy, () => once(get('/free/big')));
  rows.push(['at most, while 200 MB pass free of charge', free.toFixed(0)]);
  const [buyer = world.seller] = world.buyers;
  const url = `http://127.0.0.1:${proxy.port}`;
  const header = await sign(world.local, buyer, world.seller, url, '/paid/big');
  const most = await mostMegabytes(proxy, () =>
    once(get('/paid/big', { 'payment-signature': header })),
  );
  rows.push(['at most, while 200 MB are sold', most.toFixed(0)]);
  const sockets = await Promise.all(Array.from({ length: IDLE }, () => opened(proxy.port)));
  // Each has had an answer, as a client has that keeps its connection.
  for (const socket of sockets) socket.write(get('/-/health'));
  await Promise.all(
    sockets.map((socket) => new Promise((resolve) => socket.once('data', resolve))),
  );
  rows.push([`with ${IDLE} idle connections`, proxy.megabytes().toFixed(0)]);
  for (const socket of sockets) socket.destroy();
  console.log('\nMemory of the proxy:\n');
  console.log(table(['', 'MB'], rows));
}

const [{ model } = { model: 'unknown processor' }] = cpus();
const loads = loadavg().map((each) => each.toFixed(1));
console.log(
  `Node ${process.version}, ${cpus().length} × ${model}; load before: ${loads.join(' ')}`,
);
const world = await openWorld();
try {
  const signing = await world.openSigning('the proxy');
  const server = await Child.start<{ port: number }>([await bundled('facilitatorProcess.ts')], {
    rpcUrl: world.urls.rpc,
    horizonUrl: world.urls.horizon,
    ...signing,
  });
  const client = new SellerClient(server.told.port);
  try {
    const address = `http://127.0.0.1:${server.told.port}`;
    const servers = await startServers(world.seller.address, address);
    if (servers.nginx === undefined) console.log('nginx is not installed, and not measured.');
    try {
      await unpaid(servers);
      await paid(world, servers, { server, client });
      await memory(world, servers);
    } finally {
      await servers.close();
    }
  } finally {
    client.close();
    await server.stop();
  }
} finally {
  await world.close();
}
console.log(
  '\nEach server is one process; all are measured in turns, and each figure is the median of its rounds. The client sends over kept\n' +
    'connections and discards the bodies. The answer of the API is 1 kB. The proxy writes its log to a file, and its sales to the disk.\n' +
    'Aims: p50 at most 0.15 ms more than node:http and 85 % of its requests a second; as many 402 as 200; paid requests at the\n' +
    "facilitator's rate less a tenth; 200 MB at constant memory; 1,000 idle connections under 150 MB.",
);
