import { type Facilitator, openFacilitator } from '../../src/server/facilitator/index.ts';
import { silentLogger } from '../../src/server/logger.ts';
import { RpcError } from '../../src/server/network/index.ts';
import { openStore, StoreError } from '../../src/server/store/index.ts';
import { Random } from '../helpers/random.ts';
import type { Contradiction } from '../helpers/truth/judge.ts';
import { discoverable } from '../support/discoverable.ts';
import { PAYER, paymentRequest } from '../support/payment.ts';
import { ModelLedger } from './modelLedger.ts';
import { CATALOG_AT_REST, SIM_CONFIG, SIM_SIGNERS } from './simAccounts.ts';
import { type SimAuthorization, type SimPurchase, type SimService, simBuy } from './simBuyer.ts';
import { simDatabase } from './simDatabase.ts';
import { simNetwork } from './simNetwork.ts';
import { SimRecords } from './simRecords.ts';
import { Life, SimulationFault, SimWorld } from './simWorld.ts';

/** What one simulation did. */
export interface SimResult {
  readonly seed: number;
  readonly fault: string | undefined;
  readonly trace: readonly string[];
  readonly settled: number;
  readonly crashes: number;
  readonly events: number;
}

const PURCHASES = 4;
const MOST_EVENTS = 30_000;
/** Virtual time after which there are no more faults. */
const HEALED_AFTER_MS = 240_000;
const REST_WITHIN_MS = 1_200_000;
const CLIENT_PATIENCE_MS = 30_000;

function inWords({ kind, payment, answers, facts }: Contradiction): string {
  const told = answers.map(({ at, from, text }) => `${at} ${from}: ${text}`).join('; ');
  return `${payment} was ${kind}: ${told}; the ledger has ${JSON.stringify(facts.moved)}`;
}

const signedBefore = new Map<string, SimAuthorization['request']>();

/** Signatures are dear and say nothing here: a payment of the same terms is signed once. */
function signedPayment(nonce: bigint, expirationLedger: number): SimAuthorization['request'] {
  const name = `${nonce} ${expirationLedger}`;
  const known = signedBefore.get(name);
  if (known !== undefined) return known;
  const undeclared = paymentRequest({ entries: [{ nonce, expirationLedger }] });
  const request =
    nonce % 2n === 0n ? undeclared : discoverable(undeclared, 'https://seller.example/data');
  if (signedBefore.size > 2_000) signedBefore.clear();
  signedBefore.set(name, request);
  return request;
}

/**
 * Runs the facilitator against a model of the ledger, with clock, network, store and the order of all
 * events decided by one seed, and holds the invariants after each event.
 */
export async function simulate(seed: number): Promise<SimResult> {
  const random = new Random(seed);
  const world = new SimWorld(random);
  const ledger = new ModelLedger(random);
  const store = await openStore({ databaseUrl: null, dataFolder: null });
  const server = {
    silence: random.next() * 0.08,
    lies: random.next() * 0.1,
    twice: random.next() * 0.2,
    killAtCall: random.next() * 0.02,
  };
  const disk = { killAtWrite: random.next() * 0.03, full: random.chance(0.3) ? 0.03 : 0 };
  const purchases: SimPurchase[] = [];
  const records = new SimRecords(world);
  const cataloged = new Set<string>();
  let facilitator: Facilitator | undefined;
  let answeredBy: Facilitator | undefined;
  let life = new Life(world);
  let crashes = 0;
  let events = 0;
  let names = 0;
  let problem: unknown;

  function kill(): void {
    if (life.dead) return;
    world.note('the process is killed');
    life.dead = true;
    facilitator = undefined;
    records.interrupted(`process ${crashes}`, 'kill');
    crashes++;
    world.after(100 + random.below(4_000), () => void start());
  }

  async function start(): Promise<void> {
    const mine = new Life(world);
    life = mine;
    world.note('the process starts');
    const name = `process ${crashes}`;
    const database = simDatabase(
      store,
      world,
      mine,
      disk,
      kill,
      (hash) => records.submitting(hash),
      () => records.interrupted(name, 'full disk'),
    );
    const network = simNetwork(ledger, world, mine, server, kill);
    try {
      const opened = await openFacilitator(SIM_CONFIG, {
        network,
        clock: mine.clock,
        logger: silentLogger,
        database,
        signers: SIM_SIGNERS,
        newId: () => `id-${(++names).toString().padStart(6, '0')}`,
        catalog: {
          async onSettled({ hash }) {
            if (cataloged.has(hash)) world.note(`the catalog knows ${hash.slice(0, 8)}`);
            cataloged.add(hash);
            return {};
          },
          status: () => CATALOG_AT_REST,
        },
      });
      if (!mine.dead) facilitator = opened;
    } catch (error) {
      if (!(error instanceof RpcError || error instanceof StoreError)) throw error;
      // It refused to start, and its operator starts it again.
      world.note(`no start: ${error.message}`);
      mine.dead = true;
      world.after(1_000, () => void start());
    }
  }

  /** Asks the process that is running; no answer if it ends, or after a client's timeout. */
  function asked<T>(ask: (service: Facilitator) => Promise<T>): Promise<T | undefined> {
    const service = facilitator;
    const mine = life;
    return new Promise((resolve, reject) => {
      if (service === undefined) {
        world.after(20, () => resolve(undefined));
        return;
      }
      const until = world.now + CLIENT_PATIENCE_MS;
      const watch = (): void => {
        if (mine.dead || world.now >= until) resolve(undefined);
        else world.after(500, watch);
      };
      world.after(500, watch);
      ask(service).then((answer) => {
        if (!mine.dead) resolve(answer);
      }, reject);
    });
  }
  const service: SimService = {
    async verify(request) {
      const name = `process ${crashes}`;
      const outcome = await asked((running) => running.verify(request));
      records.verified(request, outcome, name);
      return outcome;
    },
    async settle(request, to) {
      if (to === 'same process' && facilitator !== answeredBy) return undefined;
      const service = facilitator;
      const name = `process ${crashes}`;
      records.asked(request);
      const outcome = await asked((running) => running.settle(request));
      records.settled(request, outcome, name);
      if (outcome !== undefined) answeredBy = service;
      return outcome;
    },
  };

  let nonce = 0n;
  function sign(): SimAuthorization {
    nonce += 1n;
    const expirationLedger = Math.floor((ledger.ledger + 45) / 10) * 10;
    const key = `${PAYER.address}:${nonce}`;
    const request = signedPayment(nonce, expirationLedger);
    records.signed(request, key);
    return {
      key,
      request,
      neverSubmitted: false,
      settledAs: undefined,
      failedAs: undefined,
    };
  }

  const wait = (ms: number) =>
    new Promise<void>((resolve) => {
      world.after(ms, resolve);
    });

  function closeLedgers(): void {
    ledger.close();
    world.after(random.chance(0.2) ? 500 : 5_000, closeLedgers);
  }

  function check(): void {
    events++;
    if (problem !== undefined) throw problem;
    for (const { authorizations } of purchases) {
      let moved = 0;
      for (const { key, neverSubmitted, settledAs, failedAs } of authorizations) {
        const settled = ledger.settledAs(key);
        moved += settled.length;
        if (settledAs !== undefined && !settled.includes(settledAs)) {
          throw new SimulationFault(`${key} is said to have settled as ${settledAs}`);
        }
        if (failedAs !== undefined && settled.length > 0) {
          throw new SimulationFault(`${key} is said to have failed, and moved money`);
        }
        const queued = [...ledger.queue.values()].filter((one) => one.authorization === key);
        if (neverSubmitted && settled.length + queued.length > 0) {
          throw new SimulationFault(`${key} is said never to have been submitted`);
        }
        if (queued.length > 1) throw new SimulationFault(`${key} is with the network twice`);
      }
      if (moved > 1) throw new SimulationFault('a purchase was paid twice');
    }
    for (const hashes of ledger.taken.values()) {
      for (const hash of hashes) {
        if (!records.isWritten(hash))
          throw new SimulationFault(`${hash} left without being written down`);
      }
    }
  }

  const calm = (): void => {
    Object.assign(server, { silence: 0, lies: 0, twice: 0, killAtCall: 0 });
    Object.assign(disk, { killAtWrite: 0, full: 0 });
  };
  const bought = () => purchases.length === PURCHASES && purchases.every(({ done }) => done);
  let resting = false;
  let open = 1;
  function lookAtJournal(): void {
    void store
      .all<{ n: number }>(
        `SELECT COUNT(*) AS n FROM settlements
         WHERE state IN ('claimed', 'submitting') OR catalog = 'due'`,
      )
      .then(([row]) => {
        open = Number(row?.n ?? 0);
        const health = facilitator?.health();
        resting = open === 0 && health?.channels.free === 50 && health.sponsor.reserved === '0';
      });
    world.after(1_000, lookAtJournal);
  }

  /** Sellers that ask once more, when all is over, for what they know or do not know yet. */
  function askedAgain(): () => boolean {
    const all = purchases.flatMap(({ authorizations }) => authorizations);
    let left = 0;
    for (const { key, request } of all) {
      if (!records.isOpen(key)) continue;
      left++;
      world.after(random.below(1_000), () => {
        void service
          .verify(request)
          .then(() => service.settle(request))
          .then(() => {
            left--;
          }, onRejection);
      });
    }
    return () => left === 0;
  }

  const onRejection = (error: unknown): void => {
    problem = error;
  };
  process.on('unhandledRejection', onRejection);
  const result = (fault: string | undefined): SimResult => ({
    seed,
    fault,
    trace: world.trace,
    settled: [...ledger.included.values()].filter(
      ({ transaction, succeeded }) => succeeded && transaction.authorization !== undefined,
    ).length,
    crashes,
    events,
  });
  try {
    world.after(0, () => void start());
    world.after(1_000, closeLedgers);
    world.after(HEALED_AFTER_MS, calm);
    for (let i = 0; i < PURCHASES; i++) {
      const purchase: SimPurchase = { authorizations: [], done: false };
      purchases.push(purchase);
      world.after(random.below(20_000), () => {
        simBuy(purchase, sign, service, world, wait).catch(onRejection);
      });
    }
    await world.run(bought, check, MOST_EVENTS);
    calm();
    const restBy = world.now + REST_WITHIN_MS;
    world.after(0, lookAtJournal);
    await world.run(
      () => {
        if (world.now > restBy)
          throw new SimulationFault(`not at rest: ${open} open in the journal`);
        return resting;
      },
      check,
      MOST_EVENTS,
    );
    for (const { transaction, succeeded } of ledger.included.values()) {
      const { authorization, hash } = transaction;
      if (!succeeded || authorization === undefined) continue;
      const told = purchases
        .flatMap(({ authorizations }) => authorizations)
        .find(({ key }) => key === authorization);
      if (told?.settledAs !== hash) throw new SimulationFault(`${authorization} settled, untold`);
      // The catalog need not hear of a payment that declares nothing to discover.
      const declares = told.request.paymentPayload.extensions?.bazaar !== undefined;
      if (declares && !cataloged.has(hash)) {
        throw new SimulationFault(`${hash} never reached the catalog`);
      }
    }
    await world.run(askedAgain(), check, MOST_EVENTS);
    const [contradiction] = records.judge(ledger);
    if (contradiction !== undefined) throw new SimulationFault(inWords(contradiction));
    return result(undefined);
  } catch (error) {
    return result(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  } finally {
    life.dead = true;
    process.off('unhandledRejection', onRejection);
    await store.close();
  }
}
