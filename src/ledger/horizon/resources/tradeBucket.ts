import { amountText } from '../format/amount.ts';
import { priceText } from '../format/price.ts';
import type { TradePrice } from '../history/trade.ts';
import type { TradeBucket } from '../history/tradeBuckets.ts';
import type { Resource } from '../http/page.ts';

/** The trades of a market within a span of time. */
export function tradeBucketResource(bucket: TradeBucket): Resource {
  return {
    timestamp: String(bucket.from),
    trade_count: String(bucket.count),
    base_volume: amountText(bucket.baseVolume),
    counter_volume: amountText(bucket.counterVolume),
    avg: priceText(bucket.counterVolume, bucket.baseVolume),
    ...prices('high', bucket.high),
    ...prices('low', bucket.low),
    ...prices('open', bucket.open),
    ...prices('close', bucket.close),
  };
}

function prices(name: string, { n, d }: TradePrice): Resource {
  return { [name]: priceText(n, d), [`${name}_r`]: { n: String(n), d: String(d) } };
}
