import type { xdr } from '@stellar/stellar-sdk';
import { amountText } from '../format/amount.ts';
import { canonicalAsset } from '../format/asset.ts';
import { hexText } from '../format/hex.ts';

/** The fields of a pool, wherever it is mentioned. */
export function poolFields(pool: xdr.LiquidityPoolEntry) {
  const { params, reserveA, reserveB, totalPoolShares, poolSharesTrustLineCount } =
    pool.body.constantProduct;
  return {
    id: hexText(pool.liquidityPoolId.value),
    fee_bp: params.fee,
    type: 'constant_product' as const,
    total_trustlines: String(poolSharesTrustLineCount),
    total_shares: amountText(totalPoolShares),
    reserves: poolAmounts(pool, reserveA, reserveB),
  };
}

/** Amounts of both assets of a pool. */
export function poolAmounts(
  { body }: xdr.LiquidityPoolEntry,
  a: bigint,
  b: bigint,
): { readonly asset: string; readonly amount: string }[] {
  const { assetA, assetB } = body.constantProduct.params;
  return [
    { asset: canonicalAsset(assetA), amount: amountText(a) },
    { asset: canonicalAsset(assetB), amount: amountText(b) },
  ];
}
