import type { xdr } from '@stellar/stellar-sdk';
import { sameAsset } from '../../transaction/balances/index.ts';
import { canonicalAsset } from '../format/asset.ts';
import { reversed, type Trade } from '../history/trade.ts';
import type { HorizonRequest } from '../http/horizonRequest.ts';
import { assetParameters } from '../http/parameters.ts';
import { invalidField } from '../http/problem.ts';

/** A pair of assets, in the requested order. */
export interface Market {
  readonly base: xdr.Asset;
  readonly counter: xdr.Asset;
}

/** The two assets, in the form that the index uses. */
export function marketAssets({ base, counter }: Market): [base: string, counter: string] {
  return [canonicalAsset(base), canonicalAsset(counter)];
}

const TRADE_TYPES = ['all', 'orderbook', 'liquidity_pool'] as const;

export type TradeType = (typeof TRADE_TYPES)[number];

/** The market that a request names, if any. @throws HorizonProblem `bad_request` */
export function readMarket(request: HorizonRequest): Market | undefined {
  const base = assetParameters(request, 'base_');
  const counter = assetParameters(request, 'counter_');
  if (base === undefined && counter === undefined) return undefined;
  if (base !== undefined && counter !== undefined) return { base, counter };
  throw invalidField(
    'base_asset_type,counter_asset_type',
    'this endpoint supports asset pairs but only one asset supplied',
  );
}

/** Trades with offers, with pools, or both. @throws HorizonProblem `bad_request` */
export function readTradeType(request: HorizonRequest): TradeType {
  const text = request.text('trade_type') || 'all';
  const type = TRADE_TYPES.find((one) => one === text);
  if (type !== undefined) return type;
  throw invalidField('trade_type', 'Trade type must be all, orderbook, or liquidity_pool');
}

export function isOfType({ poolFee }: Trade, type: TradeType): boolean {
  return type === 'all' || (poolFee !== undefined) === (type === 'liquidity_pool');
}

/** The trade, seen in the requested order of assets; undefined if it was in another market. */
export function inMarket(trade: Trade, { base, counter }: Market): Trade | undefined {
  if (isBetween(trade, base, counter)) return trade;
  return isBetween(trade, counter, base) ? reversed(trade) : undefined;
}

function isBetween(trade: Trade, base: xdr.Asset, counter: xdr.Asset): boolean {
  return sameAsset(trade.base.asset, base) && sameAsset(trade.counter.asset, counter);
}
