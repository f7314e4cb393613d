import type { xdr } from '@stellar/stellar-sdk';
import type { LedgerKeyId } from '../../state/index.ts';
import { canonicalAsset } from '../format/asset.ts';
import { ENTRY_TYPES, type StateFollower } from '../state/stateIndexes.ts';

/** The assets that one asset can be exchanged for, or that can be exchanged for it. */
type Neighbours = Map<string, { readonly asset: xdr.Asset; ways: number }>;

/** Tracks which assets can be exchanged for which, through an offer or a pool. */
export class Markets implements StateFollower {
  readonly types = [ENTRY_TYPES.offer, ENTRY_TYPES.liquidityPool];
  /** By the asset that is paid. */
  readonly #forward = new Map<string, Neighbours>();
  /** By the asset that is received. */
  readonly #backward = new Map<string, Neighbours>();

  add(_id: LedgerKeyId, entry: () => xdr.LedgerEntry): void {
    this.#count(entry(), 1);
  }

  remove(_id: LedgerKeyId, entry: () => xdr.LedgerEntry): void {
    this.#count(entry(), -1);
  }

  /** The assets that can be received for an asset. */
  gotFor(asset: xdr.Asset): xdr.Asset[] {
    return assetsOf(this.#forward.get(canonicalAsset(asset)));
  }

  /** The assets with which an asset can be paid. */
  paidFor(asset: xdr.Asset): xdr.Asset[] {
    return assetsOf(this.#backward.get(canonicalAsset(asset)));
  }

  /** @param change 1 or -1 */
  #count({ data }: xdr.LedgerEntry, change: number): void {
    if (data.type === 'offer') {
      this.#countWay(data.offer.buying, data.offer.selling, change);
    } else if (data.type === 'liquidityPool') {
      const { assetA, assetB } = data.liquidityPool.body.constantProduct.params;
      this.#countWay(assetA, assetB, change);
      this.#countWay(assetB, assetA, change);
    }
  }

  #countWay(given: xdr.Asset, got: xdr.Asset, change: number): void {
    count(this.#forward, given, got, change);
    count(this.#backward, got, given, change);
  }
}

function assetsOf(neighbours: Neighbours | undefined): xdr.Asset[] {
  return neighbours === undefined ? [] : [...neighbours.values()].map(({ asset }) => asset);
}

function count(all: Map<string, Neighbours>, from: xdr.Asset, to: xdr.Asset, change: number): void {
  const [fromName, toName] = [canonicalAsset(from), canonicalAsset(to)];
  const neighbours: Neighbours = all.get(fromName) ?? new Map();
  all.set(fromName, neighbours);
  const known = neighbours.get(toName) ?? { asset: to, ways: 0 };
  known.ways += change;
  if (known.ways > 0) neighbours.set(toName, known);
  else neighbours.delete(toName);
  if (neighbours.size === 0) all.delete(fromName);
}
