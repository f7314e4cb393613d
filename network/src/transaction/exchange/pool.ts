import { xdr } from '@stellar/stellar-sdk';
import { type LedgerTxn, type LedgerView, liquidityPoolKeyId } from '../../state/index.ts';
import {
  compareAssets,
  poolIdOf,
  sameAsset,
  updatePool,
  withPoolState,
} from '../balances/index.ts';
import type { ConversionRequest } from './conversion.ts';
import { POOL_FEE_BPS, poolAsksFor, poolPaysFor } from './poolArithmetic.ts';

/** The amounts that a pool would move for a request. */
export interface PoolQuote {
  readonly pool: xdr.LiquidityPoolEntry;
  readonly sent: bigint;
  readonly received: bigint;
}

/** The id of the only pool that trades two assets, given in any order. */
export function poolIdOfAssets(x: xdr.Asset, y: xdr.Asset): xdr.PoolId {
  const [assetA, assetB] = compareAssets(x, y) <= 0 ? [x, y] : [y, x];
  return poolIdOf(
    xdr.LiquidityPoolParameters.liquidityPoolConstantProduct(
      new xdr.LiquidityPoolConstantProductParameters({ assetA, assetB, fee: POOL_FEE_BPS }),
    ),
  );
}

/** A flag of the ledger header that disables a pool function. */
export type PoolSwitch = 'trading' | 'deposit' | 'withdrawal';

const SWITCHES: Record<PoolSwitch, number> = { trading: 0x1, deposit: 0x2, withdrawal: 0x4 };

/** True if the network has disabled trading with, deposits into or withdrawals from pools. */
export function isPoolSwitchedOff(header: xdr.LedgerHeader, what: PoolSwitch): boolean {
  return header.ext.type === 'v1' && (header.ext.v1.flags & SWITCHES[what]) !== 0;
}

/**
 * The amounts that the pool of two assets would move for a path payment, or undefined if there is no pool or it cannot serve
 * the request alone. Only reads (stellar-core `OfferExchange.cpp`, `exchangeWithPool`).
 */
export function quotePool(view: LedgerView, request: ConversionRequest): PoolQuote | undefined {
  const { rounding, workLimit } = request;
  if (rounding === 'offer' || workLimit === 0) return undefined;
  if (isPoolSwitchedOff(view.header, 'trading')) return undefined;
  const entry = view.peek(liquidityPoolKeyId(poolIdOfAssets(request.send, request.receive)));
  if (entry?.data.type !== 'liquidityPool') return undefined;

  const pool = entry.data.liquidityPool;
  const { params, reserveA, reserveB } = pool.body.constantProduct;
  if (reserveA <= 0n || reserveB <= 0n) return undefined;
  const sendsA = sameAsset(request.send, params.assetA);
  const sides = {
    into: sendsA ? reserveA : reserveB,
    outOf: sendsA ? reserveB : reserveA,
    feeBps: params.fee,
  };
  if (rounding === 'strictSend') {
    const received = poolPaysFor(sides, request.maxSend);
    return received === undefined ? undefined : { pool, sent: request.maxSend, received };
  }
  const sent = poolAsksFor(sides, request.maxReceive);
  return sent === undefined ? undefined : { pool, sent, received: request.maxReceive };
}

/** Moves the quoted amounts through the pool, and returns the claim that records them. */
export function exchangeWithPool(
  ltx: LedgerTxn,
  { send, receive }: ConversionRequest,
  { pool, sent, received }: PoolQuote,
): xdr.ClaimAtom {
  const { params, reserveA, reserveB } = pool.body.constantProduct;
  const [addedA, addedB] = sameAsset(send, params.assetA) ? [sent, -received] : [-received, sent];
  updatePool(
    ltx,
    withPoolState(pool, { reserveA: reserveA + addedA, reserveB: reserveB + addedB }),
  );
  return xdr.ClaimAtom.claimAtomTypeLiquidityPool(
    new xdr.ClaimLiquidityAtom({
      liquidityPoolId: pool.liquidityPoolId,
      assetSold: receive,
      amountSold: received,
      assetBought: send,
      amountBought: sent,
    }),
  );
}
