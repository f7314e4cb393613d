import type { xdr } from '@stellar/stellar-sdk';
import type { Resource } from '../http/page.ts';
import type { PastOperation } from '../past/pastOperation.ts';
import { poolDelta } from '../past/poolDelta.ts';
import { amountText } from '../text/amount.ts';
import { canonicalAsset } from '../text/asset.ts';
import { hexText } from '../text/hex.ts';
import { priceFields } from './offerDetails.ts';

export function poolDepositDetails(
  op: xdr.LiquidityPoolDepositOp,
  operation: PastOperation,
): Resource {
  const delta = poolDelta(operation.deltas, op.liquidityPoolId);
  const reserves = reservesOf(delta?.pool);
  return {
    liquidity_pool_id: hexText(op.liquidityPoolId.value),
    reserves_max: reserves(op.maxAmountA, op.maxAmountB),
    ...priceFields('min_price', op.minPrice),
    ...priceFields('max_price', op.maxPrice),
    reserves_deposited: reserves(delta?.reserveA ?? 0n, delta?.reserveB ?? 0n),
    shares_received: amountText(delta?.shares ?? 0n),
  };
}

export function poolWithdrawDetails(
  op: xdr.LiquidityPoolWithdrawOp,
  operation: PastOperation,
): Resource {
  const delta = poolDelta(operation.deltas, op.liquidityPoolId);
  const reserves = reservesOf(delta?.pool);
  return {
    liquidity_pool_id: hexText(op.liquidityPoolId.value),
    reserves_min: reserves(op.minAmountA, op.minAmountB),
    shares: amountText(op.amount),
    reserves_received: reserves(-(delta?.reserveA ?? 0n), -(delta?.reserveB ?? 0n)),
  };
}

/** Writes two amounts with their assets, which are not known where the transaction failed. */
function reservesOf(
  pool: xdr.LiquidityPoolEntry | undefined,
): (a: bigint, b: bigint) => Resource[] {
  const { assetA, assetB } = pool?.body.constantProduct.params ?? {};
  return (a, b) => [
    { asset: assetA && canonicalAsset(assetA), amount: amountText(a) },
    { asset: assetB && canonicalAsset(assetB), amount: amountText(b) },
  ];
}
