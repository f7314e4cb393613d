import type { xdr } from '@stellar/stellar-sdk';
import type { LedgerKeyId } from '../../state/index.ts';
import { canonicalAsset } from '../format/asset.ts';
import { hexText } from '../format/hex.ts';
import type { Order } from '../http/paging.ts';
import { PrefixTree } from './prefixTree.ts';
import { ENTRY_TYPES, type StateFollower } from './stateIndexes.ts';

/** Indexes pools by id and by asset. */
export class PoolIndex implements StateFollower {
  readonly types = [ENTRY_TYPES.liquidityPool];
  readonly #ids = new PrefixTree<LedgerKeyId>();

  add(id: LedgerKeyId, entry: () => xdr.LedgerEntry): void {
    for (const place of placesOf(entry())) this.#ids.set(place, id);
  }

  remove(_id: LedgerKeyId, entry: () => xdr.LedgerEntry): void {
    for (const place of placesOf(entry())) this.#ids.delete(place);
  }

  /** @param asset an asset of the pool, in the format of `canonicalAsset`; `undefined` for all pools */
  walk(asset: string | undefined, order: Order, behind?: string): Iterable<LedgerKeyId> {
    return this.#ids.walk(`${asset ?? ''} `, order, behind);
  }
}

function placesOf({ data }: xdr.LedgerEntry): string[] {
  if (data.type !== 'liquidityPool') return [];
  const { liquidityPoolId, body } = data.liquidityPool;
  const { assetA, assetB } = body.constantProduct.params;
  return ['', canonicalAsset(assetA), canonicalAsset(assetB)].map(
    (asset) => `${asset} ${hexText(liquidityPoolId.value)}`,
  );
}
