import type { xdr } from '@stellar/stellar-sdk';
import { amountText } from '../format/amount.ts';
import { canonicalAsset } from '../format/asset.ts';
import { hexText } from '../format/hex.ts';
import type { HistoryOperation } from '../history/historyOperation.ts';
import { poolDelta } from '../history/poolDelta.ts';
import { priceFields } from './offerDetails.ts';

export function poolDepositDetails(op: xdr.LiquidityPoolDepositOp, operation: HistoryOperation) {
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

export function poolWithdrawDetails(op: xdr.LiquidityPoolWithdrawOp, operation: HistoryOperation) {
  const delta = poolDelta(operation.deltas, op.liquidityPoolId);
  const reserves = reservesOf(delta?.pool);
  return {
    liquidity_pool_id: hexText(op.liquidityPoolId.value),
    reserves_min: reserves(op.minAmountA, op.minAmountB),
    shares: amountText(op.amount),
    reserves_received: reserves(-(delta?.reserveA ?? 0n), -(delta?.reserveB ?? 0n)),
  };
}

/** An amount and its asset; the asset is unknown if the transaction failed. */
interface ReserveAmount {
  readonly asset: string | undefined;
  readonly amount: string;
}

/** Writes two amounts with their assets. */
function reservesOf(
  pool: xdr.LiquidityPoolEntry | undefined,
): (a: bigint, b: bigint) => ReserveAmount[] {
  const { assetA, assetB } = pool?.body.constantProduct.params ?? {};
  return (a, b) => [
    { asset: assetA && canonicalAsset(assetA), amount: amountText(a) },
    { asset: assetB && canonicalAsset(assetB), amount: amountText(b) },
  ];
}
