import { systemClock } from '../../src/server/index.ts';
import { connectNetwork, type StellarNetwork } from '../../src/server/network/index.ts';
import { healthOf, leftInStore } from '../faults/atRest.ts';
import { Random } from '../helpers/random.ts';
import { type Judgement, judgeAnswers } from '../helpers/truth/judge.ts';
import { Attribution } from './attribution.ts';
import { BEHAVIOURS, type Behaviour } from './behaviours.ts';
import { Calamities, Supervisor } from './calamities.ts';
import { readLedger } from './ledgerFacts.ts';
import { Records } from './records.ts';
import { type RpcProxy, startRpcProxy } from './rpcProxy.ts';
import { chooseManner, Sale, type SalePlan } from './sale.ts';
import { sendElsewhere } from './sendElsewhere.ts';
import { pause } from './spoiltCall.ts';
import { Weather } from './weather.ts';
import {
  type OutsideWorld,
  openApartWorld,
  openFailoverWorld,
  openFileWorld,
  openPostgresWorld,
  type StoreKind,
} from './world.ts';

export interface OutsideOptions {
  readonly store: StoreKind;
  readonly payments: number;
  readonly seed: number;
  readonly behaviours: readonly Behaviour[];
  readonly say: (line: string) => void;
}

/** What was done, and its results. */
export interface OutsideReport {
  readonly options: Omit<OutsideOptions, 'say'>;
  readonly seconds: number;
  readonly sales: readonly SalePlan[];
  readonly records: Records;
  readonly judgement: Judgement;
  /** Names of the sales that were paid. */
  readonly movedPayments: ReadonlySet<string>;
  readonly calamities: ReadonlyMap<string, number>;
  readonly kills: number;
  /** The output of instances that ended although nobody had ended them. */
  readonly deaths: readonly string[];
  readonly leakedChannels: number;
  readonly unfinished: number;
  /** What could not be tried here, and why. */
  readonly leftOut: readonly string[];
}

/** Payments under way at a time. */
const AT_ONCE = 40;
const FIRST_AMOUNT = 1_000n;
const CALAMITY_EVERY_MS = 3_500;
const AT_REST_MS = 60_000;
const OPEN = {
  sqlite: openFileWorld,
  postgres: openPostgresWorld,
  apart: openApartWorld,
  failover: openFailoverWorld,
} as const satisfies Record<StoreKind, unknown>;
/** Of the payments of a world that forgets: those that somebody else sends, too, and those to the asset's issuer. */
const SENT_ELSEWHERE = 0.3;
const TO_ISSUER = 0.15;
const KILL_METHODS = ['simulateTransaction', 'sendTransaction', 'getTransaction'] as const;
const KILL_MOMENTS = ['unsent', 'unanswered', 'answered'] as const;

/** Everything about a payment that the seed decides, whatever happens to the others. */
function planSale(
  index: number,
  { seed, behaviours, store }: OutsideOptions,
  world: OutsideWorld,
): SalePlan {
  const random = new Random(seed * 1_000_003 + index);
  const payment = `p${index}`;
  const behaviour = behaviours[index % behaviours.length] ?? BEHAVIOURS[0];
  const buyer = world.buyers[index % world.buyers.length];
  if (behaviour === undefined || buyer === undefined) throw new RangeError('nothing to pick from');
  const aborts = Array.from({ length: random.chance(0.4) ? 1 + random.below(3) : 0 }, () =>
    random.chance(0.2)
      ? ({ kind: 'at the headers' } as const)
      : ({ kind: 'after', milliseconds: random.below(random.pick([20, 300, 3_000])) } as const),
  );
  return {
    payment,
    amount: FIRST_AMOUNT + BigInt(index),
    buyer,
    weather: new Weather(payment, behaviour, random.below(2 ** 31)),
    weatherMs: 2_000 + random.below(8_000),
    maxTimeoutSeconds: random.pick([60, 300, 900]),
    identifier: random.chance(0.2) ? `sale_${seed}_${index}_of_the_harness` : undefined,
    verifies: random.chance(0.4),
    atTwo: store === 'postgres' || random.chance(0.3),
    aborts,
    rounds: 1 + random.below(3),
    manner: chooseManner(random),
    asksAgain: random.chance(0.4),
    killAt: random.chance(0.03)
      ? { method: random.pick(KILL_METHODS), moment: random.pick(KILL_MOMENTS) }
      : undefined,
    sentElsewhereAfterMs:
      world.forgets && random.chance(SENT_ELSEWHERE)
        ? random.below(random.pick([100, 3_000, 15_000]))
        : undefined,
    toIssuer: world.forgets && random.chance(TO_ISSUER),
  };
}

/** The work in hand, as the instances report it and, if they share a database, by its rows. */
async function inHand({ instances, databaseUrl }: OutsideWorld) {
  const healths = await Promise.all(instances.map(({ url }) => healthOf(url)));
  const held = healths.reduce((sum, { channels }) => sum + channels.total - channels.free, 0);
  const reserved = healths.reduce((sum, { sponsor }) => sum + BigInt(sponsor.reserved), 0n);
  const left = databaseUrl === null ? { leased: 0, open: 0 } : await leftInStore(databaseUrl, null);
  return { held, reserved, ...left };
}

/** Waits until nothing is under way any more, or for a minute. */
async function quiet(world: OutsideWorld): Promise<void> {
  const until = performance.now() + AT_REST_MS;
  while (performance.now() < until) {
    const { held, reserved, leased, open } = await inHand(world);
    if (held === 0 && reserved === 0n && leased === 0 && open === 0) return;
    await pause(250);
  }
}

async function whatIsLeft(world: OutsideWorld) {
  const { held, leased, open } = await inHand(world);
  if (world.databaseUrl !== null) return { leakedChannels: held + leased, unfinished: open };
  if (world.dataFolder === null) return { leakedChannels: held, unfinished: 0 };
  // The embedded store has one process at a time: it is looked into once the service has ended.
  await Promise.all(world.instances.map((instance) => instance.stop()));
  const inFile = await leftInStore(null, world.dataFolder);
  return { leakedChannels: held, unfinished: inFile.open };
}

async function sellAll(
  sales: readonly Sale[],
  sell: (sale: Sale) => Promise<void>,
  say: (line: string) => void,
): Promise<void> {
  const begun = performance.now();
  const waiting = [...sales];
  let done = 0;
  const worker = async (): Promise<void> => {
    for (let sale = waiting.shift(); sale !== undefined; sale = waiting.shift()) {
      await sell(sale);
      if (++done % 100 === 0) {
        say(`${done} payments, ${Math.round((performance.now() - begun) / 1_000)} s`);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Sells under bad weather, and compares every answer with the ledger at the end. */
export async function runOutside(options: OutsideOptions): Promise<OutsideReport> {
  const { store, payments, seed, say } = options;
  const begun = performance.now();
  const random = new Random(seed);
  const records = new Records();
  const attribution = new Attribution();
  const underWay = new Set<Weather>();
  const supervisor = new Supervisor(records, new Random(seed + 1));
  let proxy: RpcProxy | undefined;
  let world: OutsideWorld | undefined;
  let rpc: StellarNetwork | undefined;
  const kill = (name: string): void => {
    const instance = world?.instances.find((one) => one.name === name);
    if (instance !== undefined) void supervisor.kill(instance);
  };
  try {
    world = await OPEN[store]({
      kill,
      buyers: Math.min(payments, 200),
      async rpcUrlOf(network, instance) {
        proxy ??= await startRpcProxy({
          upstream: network.rpcUrl,
          attribution,
          random: new Random(seed + 2),
          underWay: () => [...underWay],
          kill,
        });
        return proxy.urlOf(instance);
      },
    });
    const { network, seller, instances } = world;
    rpc = connectNetwork({ url: network.rpcUrl, certificateAuthority: null }, systemClock);
    const direct = rpc;
    const plans: SalePlan[] = [];
    for (let index = 0; index < payments; index++) {
      const plan = planSale(index, options, world);
      attribution.add(plan.amount, plan.weather);
      plans.push(plan);
    }
    const shop = {
      ...{ rpcUrl: network.rpcUrl, seller, attribution, records, random, instances },
      latestLedger: () => network.local.network.getLatestLedger(),
      sendElsewhere: (sender: string, operation: Uint8Array) =>
        sendElsewhere(sender, operation, network, direct),
    };
    const calamities = new Calamities(world, records, new Random(seed + 3), supervisor);
    let over = false;
    const happening = calamities.run(() => over, CALAMITY_EVERY_MS);
    const sales = plans.map((plan) => new Sale(plan, shop));
    await sellAll(
      sales,
      async (sale) => {
        underWay.add(sale.plan.weather);
        await sale.run();
        underWay.delete(sale.plan.weather);
      },
      say,
    );
    over = true;
    await happening;
    proxy?.calm();
    say('at rest');
    await quiet(world);
    for (const sale of sales) await sale.readState();
    const rest = await whatIsLeft(world);
    const facts = await readLedger(network.rpcUrl, network.firstLedger, records.signed);
    const { asked, delivered, interruptions } = records;
    return {
      options,
      seconds: Math.round((performance.now() - begun) / 1_000),
      sales: plans,
      records,
      judgement: judgeAnswers(facts, delivered, asked, interruptions),
      movedPayments: new Set(
        facts.flatMap(({ sale, moved }) => (sale !== undefined && moved.length > 0 ? [sale] : [])),
      ),
      calamities: calamities.happened,
      kills: supervisor.kills,
      deaths: instances.flatMap(({ deaths }) => deaths),
      ...rest,
      leftOut: typeof world.disk === 'string' && store === 'sqlite' ? [world.disk] : [],
    };
  } finally {
    rpc?.close();
    await world?.close();
    await proxy?.close();
  }
}
