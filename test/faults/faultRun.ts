import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from '../helpers/random.ts';
import { transfersTo } from '../helpers/transferFollower.ts';
import { startPrivatePostgres } from '../store/privatePostgres.ts';
import { openPayer, openSeller } from '../support/accounts.ts';
import { discoverable } from '../support/discoverable.ts';
import { freshPayment } from '../support/freshPayment.ts';
import { type LocalNetwork, startLocalNetwork } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { healthOf, leftInStore } from './atRest.ts';
import { type Authorization, askToSettle, buy, type Purchase } from './buyer.ts';
import { startChaosRpc, USUAL_FAULTS } from './chaosRpc.ts';
import { ANY_MOMENT, Slot } from './slot.ts';
import { type KillPoint, killPoints, nameOf } from './steps.ts';

export interface FaultRunOptions {
  readonly store: 'postgres' | 'sqlite';
  readonly seed: number;
  readonly payments: number;
  readonly kills: number;
  readonly instances: number;
  /** Buyers at a time. */
  readonly buyers: number;
  /** The bundled program of an instance. */
  readonly program: string;
  readonly say: (line: string) => void;
}

export interface FaultReport {
  readonly options: Omit<FaultRunOptions, 'say' | 'program'>;
  readonly seconds: number;
  readonly purchases: number;
  readonly authorizations: number;
  readonly requests: number;
  /** Transfers to the seller that the ledger's events show. */
  readonly settledOnLedger: number;
  readonly answeredSettled: number;
  /** Settlements that the catalog has counted. */
  readonly countedInCatalog: number;
  /** Settled on the ledger, but the buyer did not get the outcome. */
  readonly lost: number;
  /** Paid more than once for one purchase. */
  readonly double: number;
  /** Reported as settled, but the ledger does not have it. */
  readonly phantom: number;
  readonly unpaid: number;
  readonly leakedChannels: number;
  readonly unfinishedInJournal: number;
  readonly reserved: bigint;
  readonly kills: number;
  readonly killsByStep: Readonly<Record<string, number>>;
  readonly rpcFaults: Readonly<Record<string, number>>;
  readonly gaveUp: Readonly<Record<string, number>>;
  /** How often `/settle` answered each reason. */
  readonly answers: Readonly<Record<string, number>>;
}

const RESOURCE = 'https://api.seller.example/quote';
const TTL_MS = 1_500;
const PAYERS = 8;
const FIRST_AMOUNT = 1_000n;
/** Events until the one that kills: the first to the fourth. */
const MAX_EVENTS = 4;
const SETTLE_DOWN_MS = 60_000;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

async function openPayers(local: LocalNetwork): Promise<TestKey[]> {
  const payers: TestKey[] = [];
  for (let i = 0; i < PAYERS; i++) payers.push(await openPayer(local, 1_000_000_000n));
  return payers;
}

function count<T>(values: readonly T[], name: (value: T) => string | undefined) {
  const counts: Record<string, number> = {};
  for (const value of values) {
    const key = name(value);
    if (key !== undefined) counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

function sumOf(tallies: readonly ReadonlyMap<string, number>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const tally of tallies) {
    for (const [name, times] of tally) sums[name] = (sums[name] ?? 0) + times;
  }
  return sums;
}

/** Settlements that the catalog has counted for the resource. */
async function countedInCatalog(url: string | undefined): Promise<number> {
  if (url === undefined) return 0;
  const response = await fetch(`${url}/discovery/resources`);
  const { items } = (await response.json()) as {
    items: { resource: string; trust: { settlements: number } }[];
  };
  return items.find(({ resource }) => resource === RESOURCE)?.trust.settlements ?? 0;
}

/** Runs buyers against instances that are killed, and compares the answers they got with the ledger. */
export async function runFaults(options: FaultRunOptions): Promise<FaultReport> {
  const { store, seed, payments, kills, instances, buyers, program, say } = options;
  const started = Date.now();
  const random = new Random(seed);
  const shared = store === 'postgres';
  const local = await startLocalNetwork();
  const postgres = shared ? await startPrivatePostgres() : undefined;
  const databaseUrl = (await postgres?.createDatabase()) ?? null;
  const dataFolder = shared ? null : mkdtempSync(join(tmpdir(), 'svc-faults-'));
  const slots: Slot[] = [];
  const chaos = await startChaosRpc(local.rpcUrl, random, USUAL_FAULTS, (name, call, moment) => {
    const slot = slots.find((one) => one.name === name);
    return slot?.atCall(call, moment) ?? false;
  });
  try {
    const seller = await openSeller(local);
    const payers = await openPayers(local);
    const firstLedger = await local.network.getLatestLedger();

    const points = killPoints(shared);
    const killed = () => slots.reduce((sum, slot) => sum + slot.kills, 0);
    const killedAt = (point: KillPoint) =>
      slots.reduce((sum, slot) => sum + (slot.killed.get(nameOf(point)) ?? 0), 0);
    const enough = () => killed() >= kills && points.every((point) => killedAt(point) > 0);
    // The point with the fewest kills: one that was not reached, since its instance did not
    // start or was not asked, has its turn again.
    const nextPoint = (): { point: KillPoint; count: number } | undefined => {
      if (enough()) return undefined;
      const turns = (point: KillPoint) =>
        killedAt(point) + slots.filter((slot) => slot.point === point).length;
      const least = Math.min(...points.map(turns));
      const point = points.find((one) => turns(one) === least);
      return point && { point, count: 1 + random.below(MAX_EVENTS) };
    };
    const { sponsor, channels } = local.ledger.accounts;
    for (let i = 0; i < instances; i++) {
      const name = `i${i}`;
      const orders = {
        rpcUrl: chaos.urlOf(name),
        databaseUrl,
        dataFolder,
        sponsorSecret: sponsor.secret,
        channelSecrets: channels.map(({ secret }) => secret),
        instanceTtlMs: TTL_MS,
      };
      slots.push(new Slot(name, program, orders, nextPoint));
    }
    await Promise.all(slots.map((slot) => slot.start()));

    let signed = 0;
    const sign = async (): Promise<Authorization> => {
      const amount = FIRST_AMOUNT + BigInt(signed++);
      const latest = await local.network.getLatestLedger();
      const request = await freshPayment(local, random.pick(payers), seller, {
        amount,
        entry: { expirationLedger: latest + 700 },
        requirements: { amount: `${amount}`, maxTimeoutSeconds: 3_600 },
      });
      return { amount, request: discoverable(request, RESOURCE) };
    };
    const chooseUrl = (): string | undefined => {
      const up = slots.map(({ url }) => url).filter((url) => url !== undefined);
      return up.length === 0 ? undefined : random.pick(up);
    };

    const purchases: Purchase[] = [];
    let begun = 0;
    // While kills are missing, buyers continue beyond the requested number.
    const more = () => begun < payments || (!enough() && begun < 3 * payments);
    const worker = async (): Promise<void> => {
      while (more()) {
        begun++;
        purchases.push(await buy(sign, (body) => askToSettle(chooseUrl(), body)));
        if (purchases.length % 100 === 0) {
          say(
            `${purchases.length} payments, ${killed()} kills, ${Math.round((Date.now() - started) / 1000)} s`,
          );
        }
      }
    };
    await Promise.all(Array.from({ length: buyers }, worker));

    // At rest: nothing more is killed or spoilt, and what was begun is finished.
    chaos.calm();
    await Promise.all(slots.filter((slot) => slot.armed).map((slot) => slot.restart()));
    const rest = await settleDown(slots, databaseUrl, dataFolder);

    const transfers = await transfersTo(local.rpcUrl, seller.address, firstLedger);
    const settled = (amount: bigint) => transfers.get(amount)?.length ?? 0;
    const paid = (purchase: Purchase) =>
      purchase.presented.reduce((sum, { amount }) => sum + settled(amount), 0);
    return {
      options: { store, seed, payments, kills, instances, buyers },
      seconds: Math.round((Date.now() - started) / 1000),
      purchases: purchases.length,
      authorizations: signed,
      requests: purchases.reduce((sum, { requests }) => sum + requests, 0),
      settledOnLedger: [...transfers.values()].reduce((sum, hashes) => sum + hashes.length, 0),
      answeredSettled: purchases.filter((purchase) => purchase.paid !== undefined).length,
      lost: purchases.reduce(
        (sum, purchase) =>
          sum +
          purchase.presented.filter(
            ({ amount }) => settled(amount) > 0 && purchase.paid?.amount !== amount,
          ).length,
        0,
      ),
      double: purchases.filter((purchase) => paid(purchase) > 1).length,
      phantom: purchases.filter(
        ({ paid: told }) => told && !transfers.get(told.amount)?.includes(told.hash),
      ).length,
      unpaid: purchases.filter((purchase) => purchase.paid === undefined).length,
      ...rest,
      kills: killed(),
      killsByStep: Object.fromEntries(
        [...points.map(nameOf), ANY_MOMENT].map((name) => [
          name,
          slots.reduce((sum, slot) => sum + (slot.killed.get(name) ?? 0), 0),
        ]),
      ),
      rpcFaults: { ...chaos.met },
      gaveUp: count(purchases, ({ gaveUp }) => gaveUp),
      answers: sumOf(purchases.map(({ reasons }) => reasons)),
    };
  } finally {
    await Promise.all(slots.map((slot) => slot.close()));
    await chaos.close();
    await postgres?.close();
    await local.close();
    if (dataFolder !== null) rmSync(dataFolder, { recursive: true, force: true });
  }
}

interface Rest {
  readonly countedInCatalog: number;
  readonly leakedChannels: number;
  readonly unfinishedInJournal: number;
  readonly reserved: bigint;
}

/** Waits until nothing is under way, and returns what is left then. */
async function settleDown(
  slots: readonly Slot[],
  databaseUrl: string | null,
  dataFolder: string | null,
): Promise<Rest> {
  const until = Date.now() + SETTLE_DOWN_MS;
  for (;;) {
    const healths = await Promise.all(slots.map((slot) => healthOf(slot.url)));
    const held = healths.reduce((sum, { channels }) => sum + channels.total - channels.free, 0);
    const reserved = healths.reduce((sum, { sponsor }) => sum + BigInt(sponsor.reserved), 0n);
    const inStore =
      databaseUrl === null ? { leased: 0, open: 0 } : await leftInStore(databaseUrl, null);
    const quiet = held === 0 && reserved === 0n && inStore.leased === 0 && inStore.open === 0;
    if (quiet || Date.now() > until) {
      const counted = await countedInCatalog(slots[0]?.url);
      if (databaseUrl !== null) {
        return {
          countedInCatalog: counted,
          leakedChannels: held + inStore.leased,
          unfinishedInJournal: inStore.open,
          reserved,
        };
      }
      // The embedded store has one process at a time: it is looked into once the service has ended.
      await Promise.all(slots.map((slot) => slot.close()));
      const left = await leftInStore(null, dataFolder);
      return {
        countedInCatalog: counted,
        leakedChannels: held,
        unfinishedInJournal: left.open,
        reserved,
      };
    }
    await pause(200);
  }
}
