import { systemClock } from '../../src/server/index.ts';
import { connectNetwork } from '../../src/server/network/index.ts';
import { healthOf, leftInStore } from '../faults/atRest.ts';
import type { TransferFollower } from '../helpers/transferFollower.ts';
import { balancesOf } from '../support/accounts.ts';
import type { Bought, Traffic } from './traffic.ts';
import { BUYERS_USDC, type SoakWorld } from './world.ts';

/** What was presented, and what became of it by the buyers, the catalog and the ledger. */
export interface SoakAccount {
  readonly purchases: number;
  readonly authorizations: number;
  readonly settledOnLedger: number;
  readonly answeredSettled: number;
  readonly countedInCatalog: number;
  /** Buyers that gave up without a settlement, by why. Nothing of theirs is on the ledger. */
  readonly gaveUp: Readonly<Record<string, number>>;
  readonly replaysToldAgain: number;
  /** Settled on the ledger, but the buyer did not get the outcome. */
  readonly lost: number;
  /** More than one transfer for one purchase. */
  readonly double: number;
  /** Reported as settled, but the ledger does not have it under that hash. */
  readonly phantom: number;
  /** Transfers that no purchase has presented: of invalid payments, or of such as were only verified. */
  readonly unasked: number;
  readonly leakedChannels: number;
  readonly unfinishedInJournal: number;
  readonly reserved: string;
  /** Accounts whose USDC is not what it was before, less or more what the ledger's transfers say. */
  readonly wrongBalances: number;
  /** XLM in the ledger's header less what accounts and the fee pool hold, in stroops. */
  readonly coinsMissing: string;
  /** What else went wrong: instances that ended by themselves, invalid payments that were accepted. */
  readonly broken: readonly string[];
}

const AT_REST_MS = 60_000;
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Waits until nothing is under way any more, or for a minute, and returns what still is. */
async function atRest({ instances, databaseUrl }: SoakWorld) {
  const until = Date.now() + AT_REST_MS;
  for (;;) {
    const healths = await Promise.all(instances.map(({ url }) => healthOf(url)));
    const held = healths.reduce((sum, { channels }) => sum + channels.total - channels.free, 0);
    const reserved = healths.reduce((sum, { sponsor }) => sum + BigInt(sponsor.reserved), 0n);
    const { leased, open } = await leftInStore(databaseUrl, null);
    const quiet = held === 0 && reserved === 0n && leased === 0 && open === 0;
    if (quiet || Date.now() > until) {
      return {
        leakedChannels: held + leased,
        unfinishedInJournal: open,
        reserved: reserved.toString(),
      };
    }
    await pause(200);
  }
}

async function countedInCatalog(url: string | undefined): Promise<number> {
  const response = await fetch(`${url}/discovery/resources?limit=100`);
  const { items } = (await response.json()) as { items: { trust: { settlements: number } }[] };
  return items.reduce((sum, { trust }) => sum + trust.settlements, 0);
}

async function wrongBalances(world: SoakWorld, moved: Moved): Promise<number> {
  const network = connectNetwork({ url: world.rpcUrl, certificateAuthority: null }, systemClock);
  let wrong = 0;
  try {
    for (const { address } of [...world.buyers, ...world.sellers]) {
      const { usdc } = await balancesOf({ ...world.local, network }, address);
      const before = world.sellers.some((seller) => seller.address === address) ? 0n : BUYERS_USDC;
      if (usdc !== before + (moved.get(address) ?? 0n)) wrong++;
    }
  } finally {
    network.close();
  }
  return wrong;
}

/** What each account has more than before, by the transfers that its purchases presented. */
type Moved = ReadonlyMap<string, bigint>;

function movedBy(bought: readonly Bought[], settled: (amount: bigint) => number): Moved {
  const moved = new Map<string, bigint>();
  const add = (address: string, amount: bigint) =>
    moved.set(address, (moved.get(address) ?? 0n) + amount);
  for (const { buyer, seller, presented } of bought) {
    for (const amount of presented) {
      const sum = amount * BigInt(settled(amount));
      add(buyer.address, -sum);
      add(seller.address, sum);
    }
  }
  return moved;
}

/** Compares the answers that buyers got with the ledger, once nothing is under way any more. */
export async function takeAccount(
  world: SoakWorld,
  traffic: Traffic,
  follower: TransferFollower,
): Promise<SoakAccount> {
  const rest = await atRest(world);
  await follower.read();
  const { transfers } = follower;
  const { bought } = traffic;
  const settled = (amount: bigint) => transfers.get(amount)?.length ?? 0;
  const asked = new Set(bought.flatMap(({ presented }) => presented));
  const gaveUp: Record<string, number> = {};
  for (const { gaveUp: why } of bought) {
    if (why !== undefined) gaveUp[why] = (gaveUp[why] ?? 0) + 1;
  }
  const { total, held } = await world.coins();
  return {
    purchases: bought.length,
    authorizations: bought.reduce((sum, { presented }) => sum + presented.length, 0),
    settledOnLedger: [...transfers.values()].reduce((sum, hashes) => sum + hashes.length, 0),
    answeredSettled: bought.filter(({ paid }) => paid !== undefined).length,
    countedInCatalog: await countedInCatalog(world.instances[0]?.url),
    gaveUp,
    replaysToldAgain: traffic.toldAgain,
    lost: bought.flatMap(({ presented, paid }) =>
      presented.filter((amount) => settled(amount) > 0 && paid?.amount !== amount),
    ).length,
    double: bought.filter(
      ({ presented }) => presented.reduce((sum, amount) => sum + settled(amount), 0) > 1,
    ).length,
    phantom: bought.filter(({ paid }) => paid && !transfers.get(paid.amount)?.includes(paid.hash))
      .length,
    unasked: [...transfers.keys()].filter((amount) => !asked.has(amount)).length,
    ...rest,
    wrongBalances: await wrongBalances(world, movedBy(bought, settled)),
    coinsMissing: (total - held).toString(),
    broken: [...traffic.broken, ...world.instances.flatMap(({ deaths }) => deaths)],
  };
}

/** The results of a run that must not occur. */
export function violationsOf(account: SoakAccount): string[] {
  const zero = [
    'lost',
    'double',
    'phantom',
    'unasked',
    'leakedChannels',
    'unfinishedInJournal',
    'wrongBalances',
  ] as const;
  const found = zero
    .filter((name) => account[name] !== 0)
    .map((name) => `${name}: ${account[name]}`);
  if (account.reserved !== '0') found.push(`reserved: ${account.reserved} stroops`);
  if (account.coinsMissing !== '0') found.push(`coins missing: ${account.coinsMissing} stroops`);
  if (account.settledOnLedger !== account.answeredSettled) {
    found.push(`settled ${account.settledOnLedger}, answered ${account.answeredSettled}`);
  }
  if (account.countedInCatalog !== account.settledOnLedger) {
    found.push(`settled ${account.settledOnLedger}, in the catalog ${account.countedInCatalog}`);
  }
  if (account.answeredSettled === 0) found.push('nothing settled');
  return [...found, ...account.broken];
}
