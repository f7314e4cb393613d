import type { xdr } from '@stellar/stellar-sdk';
import type { LedgerState } from '../../state/index.ts';
import { amountText } from '../format/amount.ts';
import { assetFields } from '../format/asset.ts';
import { priceText } from '../format/price.ts';

interface PriceLevel {
  readonly price: xdr.Price;
  amount: bigint;
}

/** A market in the form of `/order_book`. */
export type OrderBookResource = ReturnType<typeof orderBookResource>;

/** Both sides of a market, with offers at the same price combined, best first. */
export function orderBookResource(
  state: LedgerState,
  selling: xdr.Asset,
  buying: xdr.Asset,
  limit: number,
) {
  const bids = levelsOf(state.offersOfMarket(buying, selling), limit);
  const asks = levelsOf(state.offersOfMarket(selling, buying), limit);
  return {
    bids: bids.map(({ price, amount }) => levelFields(price.d, price.n, amount)),
    asks: asks.map(({ price, amount }) => levelFields(price.n, price.d, amount)),
    base: assetFields(selling),
    counter: assetFields(buying),
  };
}

function levelsOf(offers: Iterable<xdr.LedgerEntry>, limit: number): PriceLevel[] {
  const levels: PriceLevel[] = [];
  for (const { data } of offers) {
    if (data.type !== 'offer') continue;
    const { price, amount } = data.offer;
    const last = levels.at(-1);
    if (last !== undefined && last.price.n / last.price.d === price.n / price.d) {
      last.amount += amount;
    } else {
      if (levels.length === limit) break;
      levels.push({ price, amount });
    }
  }
  return levels;
}

function levelFields(n: number, d: number, amount: bigint) {
  const divisor = greatestDivisor(n, d);
  return {
    price_r: { n: n / divisor, d: d / divisor },
    price: priceText(n, d),
    amount: amountText(amount),
  };
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}
