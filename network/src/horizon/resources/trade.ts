import { addressOf } from '../format/address.ts';
import { amountText } from '../format/amount.ts';
import { type AssetFields, assetFields } from '../format/asset.ts';
import { hexText } from '../format/hex.ts';
import { timeText } from '../format/time.ts';
import type { Trade, TradeSide } from '../history/trade.ts';
import type { Link, Links } from '../http/horizonRequest.ts';

/** A trade in the form of `/trades`. */
export type TradeResource = ReturnType<typeof tradeRecord>['resource'];

export function tradeRecord(links: Links, trade: Trade) {
  const { operation, order, base, counter, price } = trade;
  const token = `${operation.id}-${order}`;
  return {
    token,
    resource: {
      _links: {
        self: { href: '' },
        base: sideLink(links, base),
        counter: sideLink(links, counter),
        operation: links.to(`/operations/${operation.id}`),
      },
      id: token,
      paging_token: token,
      ledger_close_time: timeText(operation.ledger.closeTime),
      trade_type: tradeTypeOf(trade),
      liquidity_pool_fee_bp: trade.poolFee,
      ...sideFields('base', base),
      ...sideFields('counter', counter),
      base_is_seller: trade.baseIsSeller,
      price: { n: String(price.n), d: String(price.d) },
    },
  };
}

function tradeTypeOf({ poolFee }: Trade): 'orderbook' | 'liquidity_pool' {
  return poolFee === undefined ? 'orderbook' : 'liquidity_pool';
}

/** One side of a trade: a pool, or an account, possibly with its offer. */
type SideFields<Name extends 'base' | 'counter'> = AssetFields<`${Name}_`> & {
  readonly [name in `${Name}_amount`]: string;
} & {
  readonly [name in `${Name}_liquidity_pool_id` | `${Name}_offer_id` | `${Name}_account`]:
    | string
    | undefined;
};

function sideFields<Name extends 'base' | 'counter'>(
  name: Name,
  side: TradeSide,
): SideFields<Name> {
  const fields: object = {
    [`${name}_liquidity_pool_id`]: side.poolId && hexText(side.poolId.value),
    [`${name}_offer_id`]: side.offerId === undefined ? undefined : String(side.offerId),
    [`${name}_account`]: side.account && addressOf(side.account),
    [`${name}_amount`]: amountText(side.amount),
    ...assetFields(side.asset, `${name}_`),
  };
  return fields as SideFields<Name>;
}

function sideLink(links: Links, { account, poolId }: TradeSide): Link {
  if (account !== undefined) return links.to(`/accounts/${addressOf(account)}`);
  return poolId === undefined
    ? { href: '' }
    : links.to(`/liquidity_pools/${hexText(poolId.value)}`);
}
