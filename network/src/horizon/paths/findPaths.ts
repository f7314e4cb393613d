import type { xdr } from '@stellar/stellar-sdk';
import type { FrozenKeys } from '../../settings/index.ts';
import { type LedgerState, LedgerTxn } from '../../state/index.ts';
import { convertReceiving, convertSending } from '../../transaction/exchange/index.ts';
import { canonicalAsset } from '../format/asset.ts';
import type { Markets } from './markets.ts';

/** Maximum number of exchanges in a path (Horizon `max-path-length`). */
const MAX_EXCHANGES = 3;
/** Maximum number of paths returned with the same source (or destination) asset. */
const PATHS_AN_ASSET = 5;

/** A way to pay one asset with another. */
export interface PaymentPath {
  /** From the asset that is sent to the asset that arrives. */
  readonly assets: readonly xdr.Asset[];
  readonly sent: bigint;
  readonly received: bigint;
}

/** The market that a search works on. */
export interface PathMarket {
  readonly state: LedgerState;
  readonly markets: Markets;
  readonly frozenKeys: FrozenKeys;
  /** The payer, because accounts do not cross their own offers. */
  readonly payer: xdr.PublicKey;
}

/** An asset that the search has reached, in the best way known so far. */
interface Reached {
  readonly asset: xdr.Asset;
  readonly amount: bigint;
  /** From the start of the search to this asset. */
  readonly assets: readonly xdr.Asset[];
}

/**
 * Finds paths that deliver exactly `amount` of an asset, each paid with an asset that `isSource` accepts at that price;
 * cheapest first.
 */
export function pathsReceiving(
  market: PathMarket,
  destination: xdr.Asset,
  amount: bigint,
  isSource: (asset: xdr.Asset, needed: bigint) => boolean,
): PaymentPath[] {
  const found = search(market, destination, amount, {
    next: (asset) => market.markets.paidFor(asset),
    assetsInOrder: (assets) => [...assets].reverse(),
    convert: convertReceiving,
    isBetter: (one, other) => one < other,
    isEnd: isSource,
    mayBeEnd: (asset) => isSource(asset, 0n),
  });
  const paths = found.map(({ assets, amount: sent }) => ({
    assets: [...assets].reverse(),
    sent,
    received: amount,
  }));
  return best(
    paths,
    ({ assets: [source] }) => source,
    (a, b) => compare(a.sent, b.sent) || a.assets.length - b.assets.length,
  );
}

/** Finds paths that send exactly `amount` of an asset and end in one that `isDestination` accepts; highest yield first. */
export function pathsSending(
  market: PathMarket,
  source: xdr.Asset,
  amount: bigint,
  isDestination: (asset: xdr.Asset) => boolean,
): PaymentPath[] {
  const found = search(market, source, amount, {
    next: (asset) => market.markets.gotFor(asset),
    assetsInOrder: (assets) => assets,
    convert: convertSending,
    isBetter: (one, other) => one > other,
    isEnd: isDestination,
    mayBeEnd: isDestination,
  });
  const paths = found.map(({ assets, amount: received }) => ({ assets, sent: amount, received }));
  return best(
    paths,
    ({ assets }) => assets.at(-1),
    (a, b) => compare(b.received, a.received) || a.assets.length - b.assets.length,
  );
}

interface Direction {
  readonly next: (asset: xdr.Asset) => xdr.Asset[];
  /** Converts assets from search order to payment order. */
  readonly assetsInOrder: (assets: readonly xdr.Asset[]) => readonly xdr.Asset[];
  readonly convert: typeof convertSending;
  readonly isBetter: (amount: bigint, than: bigint) => boolean;
  readonly isEnd: (asset: xdr.Asset, amount: bigint) => boolean;
  /** Whether an asset is an end at any amount. */
  readonly mayBeEnd: (asset: xdr.Asset) => boolean;
}

/**
 * Searches from one asset, exchange by exchange, keeping the best path to each asset, and collects every path to an end that is
 * better than those found before (Horizon `exp/orderbook`). Each path is tried in full, as a payment would take it, so the
 * result is what a payment will get.
 */
function search(
  market: PathMarket,
  start: xdr.Asset,
  amount: bigint,
  direction: Direction,
): Reached[] {
  const found: Reached[] = [];
  const origin: Reached = { asset: start, amount, assets: [start] };
  let best = new Map([[canonicalAsset(start), origin]]);
  if (direction.isEnd(start, amount)) found.push(origin);
  for (let exchanges = 1; exchanges <= MAX_EXCHANGES; exchanges++) {
    const improved = new Map(best);
    for (const from of best.values()) {
      if (from.assets.length !== exchanges) continue;
      for (const way of stepsFrom(market, from, amount, direction)) {
        const name = canonicalAsset(way.asset);
        const known = improved.get(name);
        if (known !== undefined && !direction.isBetter(way.amount, known.amount)) continue;
        improved.set(name, way);
        if (direction.isEnd(way.asset, way.amount)) found.push(way);
      }
    }
    best = improved;
  }
  return found;
}

function* stepsFrom(
  { state, payer, frozenKeys }: PathMarket,
  from: Reached,
  amount: bigint,
  direction: Direction,
): Generator<Reached> {
  const passed = new Set(from.assets.map(canonicalAsset));
  const isLast = from.assets.length === MAX_EXCHANGES;
  for (const asset of direction.next(from.asset)) {
    if (passed.has(canonicalAsset(asset)) || (isLast && !direction.mayBeEnd(asset))) continue;
    const assets = [...from.assets, asset];
    const path = direction.assetsInOrder(assets);
    // Never committed: the state does not change.
    const outcome = direction.convert(new LedgerTxn(state), payer, path, amount, frozenKeys);
    if (outcome.ok && outcome.amount > 0n) yield { asset, amount: outcome.amount, assets };
  }
}

/** Groups paths by asset, best first, up to the maximum number returned. */
function best(
  paths: PaymentPath[],
  groupOf: (path: PaymentPath) => xdr.Asset | undefined,
  order: (a: PaymentPath, b: PaymentPath) => number,
): PaymentPath[] {
  const groups = new Map<string, PaymentPath[]>();
  for (const path of paths) {
    const asset = groupOf(path);
    if (asset === undefined) continue;
    const name = canonicalAsset(asset);
    groups.set(name, [...(groups.get(name) ?? []), path]);
  }
  return [...groups.keys()]
    .sort()
    .flatMap((name) => (groups.get(name) ?? []).sort(order).slice(0, PATHS_AN_ASSET));
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
