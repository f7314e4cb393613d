import type { Order } from '../http/paging.ts';
import { comparePriceOf, type Trade, type TradePrice } from './trade.ts';

/** The trades of a market within a span of time. */
export interface TradeBucket {
  /** Start of the span, in milliseconds since 1970. */
  readonly from: number;
  count: number;
  baseVolume: bigint;
  counterVolume: bigint;
  high: TradePrice;
  low: TradePrice;
  open: TradePrice;
  close: TradePrice;
}

/** Time spans of equal length, and their offset, in milliseconds. */
export interface Spans {
  readonly length: number;
  readonly offset: number;
}

/**
 * Collects trades into spans of time.
 * @param order the order of the trades
 */
export class TradeBuckets {
  readonly #spans: Spans;
  readonly #order: Order;
  readonly #buckets: TradeBucket[] = [];

  constructor(spans: Spans, order: Order) {
    this.#spans = spans;
    this.#order = order;
  }

  get all(): readonly TradeBucket[] {
    return this.#buckets;
  }

  /** @param at milliseconds since 1970 */
  add(trade: Trade, at: number): void {
    const { base, counter, price } = trade;
    const from = bucketOf(at, this.#spans);
    const bucket = this.#buckets.at(-1);
    if (bucket?.from !== from) {
      this.#buckets.push({
        from,
        count: 1,
        baseVolume: base.amount,
        counterVolume: counter.amount,
        high: price,
        low: price,
        open: price,
        close: price,
      });
      return;
    }
    bucket.count += 1;
    bucket.baseVolume += base.amount;
    bucket.counterVolume += counter.amount;
    if (comparePriceOf(price, bucket.high) > 0) bucket.high = price;
    if (comparePriceOf(price, bucket.low) < 0) bucket.low = price;
    if (this.#order === 'asc') bucket.close = price;
    else bucket.open = price;
  }
}

/** The start of the span that contains a time. */
export function bucketOf(at: number, { length, offset }: Spans): number {
  return Math.floor((at - offset) / length) * length + offset;
}
