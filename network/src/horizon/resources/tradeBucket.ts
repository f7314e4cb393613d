import { amountText } from '../format/amount.ts';
import { priceText } from '../format/price.ts';
import type { TradePrice } from '../history/trade.ts';
import type { TradeBucket } from '../history/tradeBuckets.ts';

/** The trades of a time span, in the form of `/trade_aggregations`. */
export type TradeBucketResource = ReturnType<typeof tradeBucketResource>;

/** The trades of a market within a time span. */
export function tradeBucketResource(bucket: TradeBucket) {
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

/** A price as a decimal, and as a fraction in `<name>_r`. */
type BucketPrice<Name extends string> = { readonly [name in Name]: string } & {
  readonly [name in `${Name}_r`]: { readonly n: string; readonly d: string };
};

function prices<Name extends string>(name: Name, { n, d }: TradePrice): BucketPrice<Name> {
  const fields: object = {
    [name]: priceText(n, d),
    [`${name}_r`]: { n: String(n), d: String(d) },
  };
  return fields as BucketPrice<Name>;
}
