import { toScAddress } from '../../src/protocol/stellar/index.ts';
import type { FacilitatorRequest } from '../../src/protocol/wire/index.ts';
import { settleAnswer, verifyAnswer } from '../../src/server/http/answers.ts';
import { openStore } from '../../src/server/store/index.ts';
import { Random } from '../helpers/random.ts';
import type { Contradiction } from '../helpers/truth/judge.ts';
import { discoverable } from '../support/discoverable.ts';
import { paymentRequest } from '../support/payment.ts';
import { type Circumstance, circumstanceOf } from './circumstances.ts';
import { ModelLedger } from './modelLedger.ts';
import { holderOf } from './simAccounts.ts';
import { type SimMarket, type SimPurchase, type SimService, simBuy } from './simBuyer.ts';
import { type SimClient, SimProcess } from './simProcess.ts';
import { type SimAuthorization, SimRecords } from './simRecords.ts';
import { SimulationFault, SimWorld } from './simWorld.ts';

/** What one simulation did. */
export interface SimResult {
  readonly seed: number;
  readonly circumstance: string;
  readonly fault: string | undefined;
  readonly contradictions: readonly Contradiction[];
  readonly trace: readonly string[];
  readonly settled: number;
  readonly crashes: number;
  readonly events: number;
}

const PURCHASES = 4;
const AMOUNT = 100_000n;
const MAX_EVENTS = 30_000;
/** Virtual time after which there are no more faults. */
const HEALED_AFTER_MS = 240_000;
const REST_WITHIN_MS = 1_200_000;
const CLIENT_PATIENCE_MS = 30_000;
const PATIENT: SimClient = { patienceMs: CLIENT_PATIENCE_MS };
const TRIM_EVERY_MS = 20_000;
/** Ledgers after which no authorization is valid, and no nonce is kept. */
const LONG_AFTER = 200;

/** Returns a contradiction in one line. */
export function inWords({ kind, payment, answers, facts }: Contradiction): string {
  const told = answers.map(({ at, from, text }) => `${Math.round(at)} ${from}: ${text}`).join('; ');
  const moved = [...facts.moved, ...(facts.kin ?? [])].map(
    ({ hash, ledger, arrived }) => `${hash.slice(0, 8)} in ledger ${ledger}: ${arrived}`,
  );
  return `${payment}: ${kind}: ${told}; the ledger has ${moved.join(', ') || 'nothing'}`;
}

const signedBefore = new Map<string, FacilitatorRequest>();

/** Signatures are dear and say nothing here: a payment of the same terms is signed once. */
function signedPayment(
  { payer, seller }: Circumstance,
  nonce: bigint,
  expirationLedger: number,
): FacilitatorRequest {
  const name = `${payer.address} ${seller.address} ${nonce} ${expirationLedger}`;
  const known = signedBefore.get(name);
  if (known !== undefined) return known;
  const undeclared = paymentRequest({
    from: payer.address,
    to: toScAddress(seller.address),
    amount: AMOUNT,
    entries: [{ nonce, expirationLedger, by: payer.address, signer: payer }],
    requirements: { payTo: seller.address },
  });
  const request =
    nonce % 2n === 0n ? undeclared : discoverable(undeclared, 'https://seller.example/data');
  if (signedBefore.size > 2_000) signedBefore.clear();
  signedBefore.set(name, request);
  return request;
}

/** The same signature, presented for something that costs more. */
function underOtherTerms(request: FacilitatorRequest): FacilitatorRequest {
  const paymentRequirements = { ...request.paymentRequirements, amount: `${AMOUNT + 1n}` };
  return { ...request, paymentRequirements };
}

/**
 * Runs facilitators against a model of the ledger, with clock, network, store and the order of all
 * events decided by one seed, and holds the invariants after each event.
 */
export async function simulate(
  seed: number,
  circumstance: Circumstance = circumstanceOf(seed),
): Promise<SimResult> {
  const random = new Random(seed);
  const world = new SimWorld(random);
  const ledger = new ModelLedger(random);
  const { token } = circumstance;
  if (token !== undefined) ledger.token = (amount) => token(amount, random);
  ledger.issuer = circumstance.issuer?.address;
  const server = {
    silence: random.next() * 0.08,
    lies: random.next() * 0.1,
    twice: random.next() * 0.2,
    killAtCall: random.next() * 0.02,
  };
  const disk = { killAtWrite: random.next() * 0.03, full: random.chance(0.3) ? 0.03 : 0 };
  const purchases: SimPurchase[] = [];
  const records = new SimRecords(world, ledger);
  const cataloged = new Set<string>();
  const stores = await Promise.all(
    Array.from({ length: circumstance.facilitators }, () =>
      openStore({ databaseUrl: null, dataFolder: null }),
    ),
  );
  const processes = stores.map(
    (store, index) =>
      new SimProcess({
        name: `${'ab'[index]}`,
        holder: holderOf(index),
        ...{ circumstance, world, ledger, store, server, disk, records, cataloged },
      }),
  );
  let answeredBy: { readonly process: SimProcess; readonly name: string } | undefined;
  let events = 0;
  let problem: unknown;
  let contradictions: readonly Contradiction[] = [];

  /** Whom a client asks, and how long it waits. */
  function choose(): { readonly process: SimProcess; readonly client: SimClient } {
    const { chance } = circumstance.leaves;
    const leaves = chance > 0 && random.chance(chance);
    const patienceMs = leaves ? random.below(CLIENT_PATIENCE_MS) : CLIENT_PATIENCE_MS;
    return {
      process: processes.length === 1 ? first(processes) : random.pick(processes),
      client: { patienceMs },
    };
  }

  function verify(
    authorization: SimAuthorization,
    { process, client } = choose(),
    request = authorization.request,
  ) {
    const note = records.asking(authorization, '/verify', process.name);
    return process
      .asked((running) => running.verify(request), client)
      .then((outcome) => note(outcome && verifyAnswer(outcome).body));
  }

  async function settle(
    authorization: SimAuthorization,
    { process, client } = choose(),
    request = authorization.request,
  ) {
    const { name } = process;
    const note = records.asking(authorization, '/settle', name);
    const outcome = await process.asked(
      (running, delivered) => running.settle(request, undefined, { delivered }),
      client,
    );
    if (outcome !== undefined) answeredBy = { process, name };
    const claim = note(outcome && settleAnswer(outcome).body);
    const { code } = outcome !== undefined && 'rejection' in outcome ? outcome.rejection : {};
    // The store did not answer: the outcome, whatever is known of it, may still be owed to this request.
    return claim && { ...claim, isTemporary: code === 'store_unavailable' };
  }

  const service: SimService = {
    verify: (authorization) => verify(authorization),
    async settle(authorization, to) {
      if (to !== 'same process') return settle(authorization);
      if (answeredBy === undefined || answeredBy.process.name !== answeredBy.name) return undefined;
      return settle(authorization, { process: answeredBy.process, client: PATIENT });
    },
  };

  let nonces = 0n;
  function sign(purchase: SimPurchase, again?: SimAuthorization): SimAuthorization {
    if (again === undefined) nonces += 1n;
    const nonce = again?.nonce ?? nonces;
    const later = again === undefined ? 0 : 10 + random.below(60);
    const from = Math.max(ledger.ledger + 45, again?.expirationLedger ?? 0);
    const expirationLedger = Math.floor((from + later) / 10) * 10;
    const payer = circumstance.payer.address;
    const key = `${payer}:${nonce}`;
    const authorization = {
      ...{ id: `${key}@${expirationLedger}`, key, payer, nonce, expirationLedger },
      request: signedPayment(circumstance, nonce, expirationLedger),
      sale: circumstance.signedAgain > 0 ? undefined : purchase.name,
    };
    purchase.authorizations.push(authorization);
    records.signed(authorization);
    return authorization;
  }

  function closeLedgers(): void {
    ledger.close();
    world.after(random.chance(0.2) ? 500 : 5_000, closeLedgers);
  }

  function trim(): void {
    for (const process of processes) void process.trim();
    world.after(random.below(TRIM_EVERY_MS), trim);
  }

  function check(): void {
    events++;
    if (problem !== undefined) throw problem;
    for (const hashes of ledger.taken.values()) {
      for (const hash of hashes) {
        if (!records.isWritten(hash))
          throw new SimulationFault(`${hash} left without being written down`);
      }
    }
    if (!circumstance.isComplete) return;
    const queued = [...ledger.queue.values()].flatMap(({ authorization }) => authorization ?? []);
    if (new Set(queued).size < queued.length) {
      throw new SimulationFault(`a payment is with the network twice: ${queued.join(', ')}`);
    }
  }

  const calm = (): void => {
    Object.assign(server, { silence: 0, lies: 0, twice: 0, killAtCall: 0 });
    Object.assign(disk, { killAtWrite: 0, full: 0 });
  };
  const bought = () => purchases.length === PURCHASES && purchases.every(({ done }) => done);
  let resting = false;
  let open = 1;
  function lookAtJournals(): void {
    void Promise.all(processes.map((process) => process.openWork())).then((counts) => {
      open = counts.reduce((sum, count) => sum + count, 0);
      resting =
        open === 0 &&
        processes.every(({ facilitator }) => {
          const health = facilitator?.health();
          return health?.channels.free === 50 && health.sponsor.reserved === '0';
        });
    });
    world.after(1_000, lookAtJournals);
  }

  const onRejection = (error: unknown): void => {
    problem = error;
  };
  /** Runs until something is done that takes virtual time. */
  async function until(work: () => Promise<void>): Promise<void> {
    let done = false;
    work().then(() => {
      done = true;
    }, onRejection);
    await world.run(() => done, check, MAX_EVENTS);
  }

  /** Everybody asks everything once more. */
  async function askAll(): Promise<void> {
    for (const authorization of records.authorizations) {
      const { payer, nonce, request } = authorization;
      for (const process of processes) {
        const asked = { process, client: PATIENT };
        const note = records.asking(authorization, '/settlements', process.name);
        note(await process.read(payer, nonce, PATIENT));
        await verify(authorization, asked, underOtherTerms(request));
        await verify(authorization, asked);
        const last = records.last(authorization)?.money;
        if (last !== 'no' && last !== 'fees') await settle(authorization, asked);
      }
    }
  }

  process.on('unhandledRejection', onRejection);
  const result = (fault: string | undefined): SimResult => ({
    seed,
    circumstance: circumstance.name,
    fault,
    contradictions,
    trace: world.trace,
    settled: [...ledger.included.values()].filter(
      ({ transaction, succeeded }) => succeeded && transaction.authorization !== undefined,
    ).length,
    crashes: processes.reduce((sum, { crashes }) => sum + crashes, 0),
    events,
  });
  try {
    for (const process of processes) world.after(0, () => void process.start());
    world.after(1_000, closeLedgers);
    world.after(HEALED_AFTER_MS, calm);
    if (circumstance.trims) world.after(TRIM_EVERY_MS, trim);
    const market: SimMarket = { circumstance, service, world, ledger, sign };
    for (let i = 0; i < PURCHASES; i++) {
      const purchase: SimPurchase = { name: `sale ${i}`, authorizations: [], done: false };
      purchases.push(purchase);
      world.after(random.below(20_000), () => {
        simBuy(purchase, market).catch(onRejection);
      });
    }
    await world.run(bought, check, MAX_EVENTS);
    calm();
    const restBy = world.now + REST_WITHIN_MS;
    world.after(0, lookAtJournals);
    await world.run(
      () => {
        if (world.now > restBy)
          throw new SimulationFault(`not at rest: ${open} open in the journal`);
        return resting;
      },
      check,
      MAX_EVENTS,
    );
    if (circumstance.isComplete) {
      for (const authorization of records.authorizations) {
        const settled = ledger.settledAs(authorization.key);
        if (settled.length > 0 && !records.isSold(authorization)) {
          throw new SimulationFault(`${authorization.id} settled, and no seller got its outcome`);
        }
        // The catalog need not hear of a payment that declares nothing to discover.
        if (authorization.request.paymentPayload.extensions?.bazaar === undefined) continue;
        for (const hash of settled) {
          if (!cataloged.has(hash)) throw new SimulationFault(`${hash} never reached the catalog`);
        }
      }
    }
    await until(askAll);
    ledger.closeUntil(ledger.ledger + LONG_AFTER);
    await until(askAll);
    // What a token that lies did may stay unknown.
    contradictions = records
      .judge()
      .filter(({ kind }) => token === undefined || kind !== 'never reported');
    const [contradiction] = contradictions;
    return result(contradiction && inWords(contradiction));
  } catch (error) {
    return result(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  } finally {
    for (const process of processes) process.end();
    process.off('unhandledRejection', onRejection);
    for (const store of stores) await store.close();
  }
}

function first<T>(from: readonly T[]): T {
  const [one] = from;
  if (one === undefined) throw new RangeError('nothing to pick from');
  return one;
}
