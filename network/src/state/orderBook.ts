import type { xdr } from '@stellar/stellar-sdk';
import sortedBTree from 'sorted-btree';
import { assetBytes } from './keyBytes.ts';
import type { LedgerKeyId } from './ledgerKey.ts';
import type { OfferPlace } from './ledgerView.ts';

/** Identity of one side of a market: the asset sold and the asset bought, as XDR. */
export type MarketId = string & { readonly __brand: 'MarketId' };

export function marketId(selling: xdr.Asset, buying: xdr.Asset): MarketId {
  return (assetBytes(selling) + assetBytes(buying)) as MarketId;
}

/**
 * Orders positions by price, then by offer id. Prices are compared as the nearest doubles, as in stellar-core, where two
 * fractions that differ by less are the same price (`isBetterOffer`).
 */
export function comparePlaces(a: OfferPlace, b: OfferPlace): number {
  const difference = a.price.n / a.price.d - b.price.n / b.price.d;
  if (difference !== 0) return difference;
  if (a.offerId === b.offerId) return 0;
  return a.offerId < b.offerId ? -1 : 1;
}

/** The offers of every market, each sorted from best to worst. */
export class OrderBook {
  readonly #markets = new Map<MarketId, sortedBTree<OfferPlace, LedgerKeyId>>();

  add(offer: xdr.OfferEntry, id: LedgerKeyId): void {
    const market = marketId(offer.selling, offer.buying);
    let places = this.#markets.get(market);
    if (places === undefined) {
      places = new SortedTree<OfferPlace, LedgerKeyId>(undefined, comparePlaces);
      this.#markets.set(market, places);
    }
    places.set({ price: offer.price, offerId: offer.offerId }, id);
  }

  remove(offer: xdr.OfferEntry): void {
    const market = marketId(offer.selling, offer.buying);
    const places = this.#markets.get(market);
    if (places === undefined) return;
    places.delete({ price: offer.price, offerId: offer.offerId });
    if (places.size === 0) this.#markets.delete(market);
  }

  /** The best offer of a market, or the best strictly after `after`. */
  best(market: MarketId, after?: OfferPlace): LedgerKeyId | undefined {
    const places = this.#markets.get(market);
    if (places === undefined) return undefined;
    if (after === undefined) {
      const first = places.minKey();
      return first === undefined ? undefined : places.get(first);
    }
    return places.nextHigherPair(after)?.[1];
  }

  /** All offers of a market, best first. */
  *offers(market: MarketId): Generator<LedgerKeyId> {
    const places = this.#markets.get(market);
    if (places !== undefined) yield* places.values();
  }
}

type TreeClass = typeof sortedBTree;

/**
 * The B+ tree of `sorted-btree`. The package is CommonJS with the types of an ES module: Node and bundlers provide all of its
 * exports as the default export, and the class is among them.
 */
export const SortedTree: TreeClass = classOf(sortedBTree);

function classOf(exported: TreeClass | { readonly default: TreeClass }): TreeClass {
  return 'default' in exported ? exported.default : exported;
}
