import { cpus, totalmem } from 'node:os';
import { Random } from '../helpers/random.ts';
import { TransferFollower } from '../helpers/transferFollower.ts';
import { takeAccount, violationsOf } from './account.ts';
import { FaultPlan } from './faultPlan.ts';
import { residentMegabytes, treeMegabytes } from './memory.ts';
import { Recorder } from './recorder.ts';
import type { Sample, SoakOptions, SoakReport } from './report.ts';
import { Traffic } from './traffic.ts';
import { openSoakWorld, type SoakWorld } from './world.ts';

/** Workers of the calibration; each sends its next request as soon as it has an answer. */
const WORKERS = 24;
const MAX_IN_FLIGHT = 400;
const SHARE_OF_MAXIMUM = 0.5;
const FOLLOW_MS = 5_000;
/** Time in which everything in flight has to be answered once there are no more faults. */
const CALM_MS = 180_000;
/** Shorter runs have their faults closer together. */
const LONG_MINUTES = 5;
/** As operators have it (`INSTANCE_TTL_MS`). */
const TTL_MS = 10_000;
/** No fault is begun in the last seconds. */
const CALM_SECONDS = 12;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** How many requests and purchases end in a second when there is always work. */
async function measureMaximum(traffic: Traffic, seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1_000;
  let ended = 0;
  const worker = async (): Promise<void> => {
    while (performance.now() < until) {
      await traffic.run(traffic.draw());
      ended++;
    }
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: WORKERS }, worker));
  return ended / ((performance.now() - begun) / 1_000);
}

function memoryOf(world: SoakWorld): Record<string, number> {
  const of: Record<string, number | undefined> = {
    network: residentMegabytes(world.networkPid),
    ...Object.fromEntries(
      world.instances.map(({ name, pid }) => [`facilitator ${name}`, residentMegabytes(pid)]),
    ),
    PostgreSQL: treeMegabytes(world.postgres.pid),
    harness: residentMegabytes(process.pid),
  };
  return Object.fromEntries(
    Object.entries(of).flatMap(([name, megabytes]) =>
      megabytes === undefined ? [] : [[name, Math.round(megabytes * 10) / 10]],
    ),
  );
}

/** Begins requests at a rate, as strangers do: whether or not the ones before were answered. */
async function sendAtRate(
  traffic: Traffic,
  random: Random,
  rate: number,
  over: () => boolean,
  inFlight: Set<Promise<void>>,
): Promise<{ begun: number; heldBack: number }> {
  let begun = 0;
  let heldBack = 0;
  let due = performance.now();
  while (!over()) {
    due += (-Math.log(1 - random.next()) / rate) * 1_000;
    await pause(Math.max(0, due - performance.now()));
    if (inFlight.size >= MAX_IN_FLIGHT) {
      heldBack++;
      continue;
    }
    begun++;
    const kind = traffic.draw();
    const one: Promise<void> = traffic
      .run(kind)
      .catch((error: unknown) => {
        traffic.broken.push(`${kind}: ${error}`);
      })
      .finally(() => inFlight.delete(one));
    inFlight.add(one);
  }
  return { begun, heldBack };
}

/** Reads transfers during the run: the ledger keeps as many ledgers as testnet closes in a day, which may be an hour here. */
async function follow(follower: TransferFollower, over: () => boolean): Promise<void> {
  while (!over()) {
    await follower.read().catch(() => undefined);
    await pause(FOLLOW_MS);
  }
}

/** Runs the soak, then compares the answers that buyers got with the ledger. */
export async function runSoak(options: SoakOptions): Promise<SoakReport> {
  const { minutes, seed, instances, say } = options;
  const started = new Date().toISOString();
  const length = minutes * 60;
  const long = minutes > LONG_MINUTES;
  const world = await openSoakWorld(instances, long ? TTL_MS : TTL_MS / 4);
  const timers: NodeJS.Timeout[] = [];
  try {
    const follower = new TransferFollower(world.rpcUrl, world.firstLedger);
    const traffic = new Traffic(world, new Random(seed), new Recorder());
    let maximum: number | undefined;
    if (options.rate === undefined) {
      // The first requests find nothing compiled.
      await measureMaximum(traffic, 3);
      maximum = await measureMaximum(traffic, Math.min(10, length / 10));
      say(`maximum here: ${maximum.toFixed(1)} requests and purchases a second`);
    }
    const rate = options.rate ?? (maximum ?? 0) * SHARE_OF_MAXIMUM;

    const recorder = new Recorder();
    traffic.recorder = recorder;
    const inFlight = new Set<Promise<void>>();
    const memory: Pick<Sample, 'memory' | 'inFlight'>[] = [];
    timers.push(
      setInterval(() => {
        memory.push({ memory: memoryOf(world), inFlight: inFlight.size });
      }, 1_000),
    );
    const following = follow(follower, () => recorder.seconds >= length);
    const plan = new FaultPlan(world, new Random(seed + 1), () => recorder.seconds);
    const [sent] = await Promise.all([
      sendAtRate(traffic, new Random(seed + 2), rate, () => recorder.seconds >= length, inFlight),
      plan.run(length - CALM_SECONDS, long ? 15 : 2, say),
    ]);
    await world.control('svc_clearFaults');
    say(`${inFlight.size} requests and purchases are still in flight`);
    await Promise.race([Promise.all(inFlight), pause(CALM_MS)]);
    if (inFlight.size > 0) {
      traffic.broken.push(
        `${inFlight.size} were not answered ${CALM_MS / 1_000} s after all faults`,
      );
    }
    await following;
    const seconds = recorder.seconds;
    for (const timer of timers) clearInterval(timer);

    const account = await takeAccount(world, traffic, follower);
    return {
      started,
      machine: `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 1e9)} GB`,
      options: { minutes, seed, instances, rate: options.rate },
      maximum,
      rate,
      seconds: Math.round(seconds),
      ...sent,
      latency: recorder.between(0, Number.POSITIVE_INFINITY),
      codes: recorder.codes,
      faults: plan.made,
      starts: Object.fromEntries(world.instances.map(({ name, starts }) => [name, starts])),
      account,
      violations: violationsOf(account),
      samples: memory.map((sample, second) => ({
        second,
        latency: recorder.between(second, second + 1),
        ...sample,
      })),
    };
  } finally {
    for (const timer of timers) clearInterval(timer);
    await world.close();
  }
}
