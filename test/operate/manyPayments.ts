import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CliProcess } from '../cli/cliProcess.ts';
import { projectFile } from '../docs/pages/projectFile.ts';
import { leftInStore } from '../faults/atRest.ts';
import { type Answer, type Authorization, buy, type Purchase } from '../faults/buyer.ts';
import { openHolders, openTestNetwork } from '../helpers/facilitators/openTestNetwork.ts';
import { transfersTo } from '../helpers/transferFollower.ts';
import { freePort, startPrivatePostgres } from '../store/privatePostgres.ts';
import { freshPayment } from '../support/freshPayment.ts';
import { type AskedByTls, askByTls, makeCertificate } from './behindTls.ts';
import { openFolder, start } from './machine.ts';
import { type ForkedProvider, forkProvider, MOODS, type Mood } from './provider.ts';

/** The instances' addresses. */
const ADDRESSES = ['127.0.0.21', '127.0.0.22', '127.0.0.23'] as const;
const BUYERS = 20;
const FIRST_AMOUNT = 1_000n;
/** A seller hangs up after this time, which is longer than an instance takes and shorter than three tries of the proxy. */
const PATIENCE_MS = 30_000;
/** A seller repeats a request that was not answered with a success after this time. */
const REPEAT_MS = 1_000;
const PROGRESS_MS = 20_000;
/** How the first of the two providers is, in turn, each for the same part of the run. */
const COURSE: readonly Mood[] = ['well', 'slow', 'dead', 'limited', 'forgetful', 'well'];

export interface ManyPaymentsOptions {
  readonly payments: number;
  /** Payments that begin in a second, however long the earlier ones take. */
  readonly rate: number;
  /** Time between two ledgers, as `--close` of `svc-x402 ledger` has it. */
  readonly close: string;
  readonly print: (line: string) => void;
}

export interface ManyPaymentsReport {
  readonly seconds: number;
  readonly presented: number;
  /** Authorizations that buyers signed: more than `presented` where an answer said that nothing was paid. */
  readonly authorizations: number;
  readonly requests: number;
  /** Payments whose first request was answered with their success. */
  readonly atFirstRequest: number;
  readonly answeredSettled: number;
  readonly settledOnLedger: number;
  /** Answered as paid already: the seller hung up while its answer was on its way through the proxy. */
  readonly answeredPaid: number;
  /** Payments of which another authorization than the answered one settled. */
  readonly lost: number;
  /** Payments that settled more than once. */
  readonly double: number;
  /** Answered as settled, but not under that hash on the ledger. */
  readonly phantom: number;
  readonly gaveUp: Readonly<Record<string, number>>;
  readonly reasons: Readonly<Record<string, number>>;
  readonly unfinished: number;
  readonly leasedChannels: number;
  readonly restarts: number;
  /** Milliseconds from the first request to the outcome. */
  readonly p50: number;
  readonly p99: number;
  readonly slowest: number;
  /** Requests to the first provider in each of its moods, and to the second one. */
  readonly asked: Readonly<Record<Mood, number>>;
  readonly askedOther: number;
}

interface Timed {
  readonly purchase: Purchase;
  readonly took: number;
}

/** Starts HAProxy as deploy/ ships it, with a third instance. */
async function startHaproxy(folder: string, port: number, instancePort: number) {
  const certificates = join(folder, 'tls');
  const authority = makeCertificate(certificates);
  const shipped = projectFile('deploy/haproxy.cfg').trimEnd();
  const third = `${shipped}\n    server three 10.0.0.13:4021\n`;
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(
    file,
    third
      .replace('bind :443', `bind 127.0.0.1:${port}`)
      .replaceAll(/10\.0\.0\.1([123]):4021/g, `127.0.0.2$1:${instancePort}`)
      .replaceAll('/etc/ssl/svc-x402', certificates),
  );
  const running = start(['haproxy', '-db', '-f', file], { HOME: folder });
  for (let tries = 0; ; tries += 1) {
    const answer = await askByTls('/supported', { port, authority }).catch(() => undefined);
    if (answer?.status === 200) return { running, authority };
    if (tries > 100) throw new Error(`haproxy: ${running.output()}`);
    await pause(200);
  }
}

/** Asks through the proxy; `undefined` when no answer of the service came, after the pause of a seller that repeats. */
async function settleThrough(asked: AskedByTls): Promise<Answer | undefined> {
  try {
    const { text } = await askByTls('/settle', { ...asked, timeoutMs: PATIENCE_MS });
    const answer = JSON.parse(text) as Answer;
    if (answer.success !== true) await pause(REPEAT_MS);
    return answer;
  } catch {
    await pause(REPEAT_MS);
    return undefined;
  }
}

/** Takes the first provider through its moods. */
async function takeCourse(
  provider: ForkedProvider,
  totalMs: number,
  print: (line: string) => void,
) {
  for (const mood of COURSE) {
    await provider.become(mood);
    print(`the first provider is ${mood}`);
    await pause(totalMs / COURSE.length);
  }
}

/**
 * Runs three instances on PostgreSQL behind HAProxy, with two providers of RPC of which the first fails in every way in turn. Buyers
 * pay at a rate, and each instance is restarted in turn in the middle. Compares what buyers were answered with the ledger.
 */
export async function payMany(options: ManyPaymentsOptions): Promise<ManyPaymentsReport> {
  const { payments, rate, close, print } = options;
  const folder = openFolder('many-payments');
  const closers: (() => unknown)[] = [() => folder.remove()];
  try {
    const network = await openTestNetwork({ folder: folder.path, name: 'many payments', close });
    closers.push(() => network.close());
    const postgres = await startPrivatePostgres();
    closers.push(() => postgres.close());
    const providers = [
      await forkProvider(network.rpcUrl),
      await forkProvider(network.rpcUrl),
    ] as const;
    closers.push(() => Promise.all(providers.map((one) => one.close())));
    const databaseUrl = await postgres.createDatabase();
    const instancePort = await freePort();
    const environment = {
      ...network.environment,
      STELLAR_RPC_URL: providers.map(({ url }) => url).join(','),
      DATABASE_URL: databaseUrl,
      TRUSTED_PROXY_HOPS: '1',
      TRUSTED_PROXIES: '127.0.0.1',
    };
    const instances: (CliProcess | undefined)[] = [];
    closers.push(() => Promise.all(instances.map((one) => one?.stop('SIGTERM'))));
    const dataFolder = (at: number) => join(folder.path, `instance-${at}`);
    const startInstance = async (at: number): Promise<void> => {
      mkdirSync(dataFolder(at), { recursive: true });
      const one = new CliProcess(['facilitator', '--json', '--no-restart', '--log-level', 'warn'], {
        ...environment,
        HOST: ADDRESSES[at] ?? '',
        PORT: `${instancePort}`,
        BUSY_PORT: 'refuse',
        OPERATOR_PORT: '0',
        SVC_X402_DATA_DIR: dataFolder(at),
      });
      instances[at] = one;
      await one.event('serving');
    };
    await Promise.all([...ADDRESSES.keys()].map(startInstance));
    const names = Array.from({ length: BUYERS }, (_, n) => `buyer ${n} of many`);
    const buyers = await openHolders(network, names, 10_000_000_000n);
    const [seller] = await openHolders(network, ['seller of many'], 0n);
    if (seller === undefined) throw new Error('no seller');
    const proxyPort = await freePort();
    const { running, authority } = await startHaproxy(folder.path, proxyPort, instancePort);
    closers.push(() => running.stop());

    let restarts = 0;
    /** Restarts each instance in turn, as docs/operating.md does. */
    const rollingRestart = async (): Promise<void> => {
      for (const at of ADDRESSES.keys()) {
        const drain = new CliProcess(['facilitator', 'drain', '--data-dir', dataFolder(at)]);
        const drained = await drain.ended;
        print(`instance ${at + 1} is drained`);
        if (drained.code !== 0) throw new Error(`drain: ${drained.stdout}${drained.stderr}`);
        const ended = await instances[at]?.stop('SIGTERM');
        if (ended?.code !== 0) throw new Error(`instance ${at}: ${ended?.code} ${ended?.stderr}`);
        await startInstance(at);
        restarts += 1;
        print(`instance ${at + 1} of ${ADDRESSES.length} is restarted`);
      }
    };

    let signed = 0;
    let done = 0;
    const sign = async (): Promise<Authorization> => {
      const amount = FIRST_AMOUNT + BigInt(signed);
      const payer = buyers[signed % buyers.length];
      signed += 1;
      if (payer === undefined) throw new Error('no buyer');
      const latest = await network.local.network.getLatestLedger();
      const request = await freshPayment(network.local, payer, seller, {
        amount,
        entry: { expirationLedger: latest + 600 },
        requirements: { amount: `${amount}`, maxTimeoutSeconds: 3_600 },
      });
      return { amount, request };
    };
    const payOnce = async (): Promise<Timed> => {
      const begun = performance.now();
      const purchase = await buy(sign, (body) =>
        settleThrough({ port: proxyPort, authority, body }),
      );
      done += 1;
      return { purchase, took: performance.now() - begun };
    };

    const progress = setInterval(
      () => print(`${done} of ${signed} payments have their outcome`),
      PROGRESS_MS,
    );
    closers.push(() => clearInterval(progress));
    const begunAt = performance.now();
    const totalMs = (payments / rate) * 1_000;
    const course = takeCourse(providers[0], totalMs, print);
    let restarting: Promise<void> | undefined;
    const paying: Promise<Timed>[] = [];
    for (let n = 0; n < payments; n += 1) {
      await pause(Math.max(0, begunAt + (n * 1_000) / rate - performance.now()));
      if (n >= payments / 3) restarting ??= rollingRestart();
      paying.push(payOnce());
    }
    const timed = await Promise.all(paying);
    await Promise.all([course, restarting]);
    const seconds = Math.round((performance.now() - begunAt) / 1_000);
    const left = await untilAtRest(databaseUrl);
    const transfers = await transfersTo(network.rpcUrl, seller.address, network.firstLedger);
    return {
      ...judge(timed, transfers),
      seconds,
      authorizations: signed,
      unfinished: left.open,
      leasedChannels: left.leased,
      restarts,
      asked: await providers[0].become('well'),
      askedOther: sum(Object.values(await providers[1].become('well'))),
    };
  } finally {
    for (const one of closers.reverse()) await one();
  }
}

const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0);

/** Waits until no settlement is open, 30 seconds at most. */
async function untilAtRest(databaseUrl: string) {
  for (let tries = 0; ; tries += 1) {
    const left = await leftInStore(databaseUrl, null);
    if ((left.open === 0 && left.leased === 0) || tries > 60) return left;
    await pause(500);
  }
}

/** The payment that a buyer was answered to have made. */
const statedOf = ({ paid, alreadyPaid }: Pick<Purchase, 'paid' | 'alreadyPaid'>) =>
  paid ?? alreadyPaid;

/** Compares what buyers were answered with the transfers on the ledger. */
function judge(timed: readonly Timed[], transfers: ReadonlyMap<bigint, readonly string[]>) {
  const purchases = timed.map(({ purchase }) => purchase);
  const settled = (amount: bigint): number => transfers.get(amount)?.length ?? 0;
  const gaveUp: Record<string, number> = {};
  const reasons: Record<string, number> = {};
  for (const purchase of purchases) {
    if (purchase.gaveUp !== undefined && purchase.alreadyPaid === undefined) {
      gaveUp[purchase.gaveUp] = (gaveUp[purchase.gaveUp] ?? 0) + 1;
    }
    for (const [reason, times] of purchase.reasons) {
      reasons[reason] = (reasons[reason] ?? 0) + times;
    }
  }
  const times = timed.map(({ took }) => took).sort((a, b) => a - b);
  const at = (part: number): number => times[Math.floor(times.length * part)] ?? Number.NaN;
  return {
    presented: purchases.length,
    requests: sum(purchases.map(({ requests }) => requests)),
    atFirstRequest: purchases.filter(({ paid, requests }) => paid && requests === 1).length,
    answeredSettled: purchases.filter(({ paid }) => paid !== undefined).length,
    settledOnLedger: sum([...transfers.values()].map(({ length }) => length)),
    answeredPaid: purchases.filter(({ alreadyPaid }) => alreadyPaid !== undefined).length,
    lost: purchases.filter(({ presented, ...said }) =>
      presented.some(({ amount }) => settled(amount) > 0 && statedOf(said)?.amount !== amount),
    ).length,
    double: purchases.filter(
      ({ presented }) => sum(presented.map(({ amount }) => settled(amount))) > 1,
    ).length,
    phantom: purchases.filter((purchase) => {
      const stated = statedOf(purchase);
      return stated !== undefined && !transfers.get(stated.amount)?.includes(stated.hash);
    }).length,
    gaveUp,
    reasons,
    p50: at(0.5),
    p99: at(0.99),
    slowest: times.at(-1) ?? Number.NaN,
  };
}

/** What is wrong in a report, each as a sentence. */
export function faultsOf(report: ManyPaymentsReport): readonly string[] {
  const { presented } = report;
  const none = ['lost', 'double', 'phantom', 'unfinished', 'leasedChannels'] as const;
  return [
    ...(report.settledOnLedger === presented
      ? []
      : [`${report.settledOnLedger} of ${presented} settled`]),
    ...(report.answeredSettled + report.answeredPaid === presented
      ? []
      : [`${report.answeredSettled} of ${presented} answered as settled`]),
    ...none.filter((name) => report[name] !== 0).map((name) => `${name}: ${report[name]}`),
    ...Object.entries(report.gaveUp).map(([why, buyers]) => `${buyers} gave up: ${why}`),
    ...(report.restarts === ADDRESSES.length ? [] : [`${report.restarts} restarts`]),
    ...MOODS.filter((mood) => mood !== 'dead' && report.asked[mood] === 0).map(
      (mood) => `the first provider was never asked while it was ${mood}`,
    ),
  ];
}

/** The report as lines of a table. */
export function tableOf(report: ManyPaymentsReport): readonly string[] {
  const { gaveUp, reasons, asked, p50, p99, slowest, ...counts } = report;
  const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
  const rows: (readonly [string, string | number])[] = [
    ['payments', counts.presented],
    ['seconds', counts.seconds],
    ['settled on the ledger', counts.settledOnLedger],
    ['answered as settled', counts.answeredSettled],
    ['answered as paid already', counts.answeredPaid],
    ['settled at the first request', counts.atFirstRequest],
    ['requests to /settle', counts.requests],
    ['authorizations signed', counts.authorizations],
    ['settled, answered otherwise', counts.lost],
    ['settled twice', counts.double],
    ['answered, not on the ledger', counts.phantom],
    ['unfinished in the journal', counts.unfinished],
    ['channels still leased', counts.leasedChannels],
    ['instances restarted', counts.restarts],
    ['median time to the outcome', seconds(p50)],
    ['99th of a hundred', seconds(p99)],
    ['slowest', seconds(slowest)],
    ...MOODS.map((mood) => [`asked the first provider, ${mood}`, asked[mood]] as const),
    ['asked the second provider', counts.askedOther],
    ...Object.entries(reasons).map(([why, times]) => [`answered: ${why}`, times] as const),
    ...Object.entries(gaveUp).map(([why, times]) => [`gave up: ${why}`, times] as const),
  ];
  return rows.map(([name, value]) => `  ${name.padEnd(38)} ${value}`);
}
