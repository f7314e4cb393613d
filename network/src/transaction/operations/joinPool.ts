import { xdr } from '@stellar/stellar-sdk';
import type { LedgerTxn } from '../../state/index.ts';
import {
  isAuthorizedToMaintainLiabilities,
  isIssuer,
  isNative,
  loadPool,
  loadTrustlineEntry,
  newEntry,
  poolIdOf,
  trustLineAssetOf,
  updatePool,
  updateTrustline,
  withPoolState,
  withPoolUse,
} from '../balances/index.ts';

const { ChangeTrustResult } = xdr;

/**
 * Applies the effects of a new pool share trustline on the rest of the ledger: the owner's trustlines to both assets count one
 * more pool, and the pool counts one more trustline or is created. Returns why that is not allowed, if so (CAP-38).
 */
export function joinPool(
  ltx: LedgerTxn,
  owner: xdr.PublicKey,
  parameters: xdr.LiquidityPoolParameters,
): xdr.ChangeTrustResult | undefined {
  const params = parameters.constantProduct;
  const failure = addPoolUse(ltx, owner, params.assetA) ?? addPoolUse(ltx, owner, params.assetB);
  if (failure !== undefined) return failure;

  const poolId = poolIdOf(parameters);
  const pool = loadPool(ltx, poolId);
  if (pool === undefined) {
    ltx.create(newEntry(xdr.LedgerEntryData.liquidityPool(emptyPool(poolId, params))));
  } else {
    const count = pool.body.constantProduct.poolSharesTrustLineCount + 1n;
    updatePool(ltx, withPoolState(pool, { poolSharesTrustLineCount: count }));
  }
  return undefined;
}

function addPoolUse(
  ltx: LedgerTxn,
  owner: xdr.PublicKey,
  asset: xdr.Asset,
): xdr.ChangeTrustResult | undefined {
  if (isNative(asset) || isIssuer(owner, asset)) return undefined;
  const line = loadTrustlineEntry(ltx, owner, trustLineAssetOf(asset));
  if (line === undefined) return ChangeTrustResult.changeTrustTrustLineMissing();
  if (!isAuthorizedToMaintainLiabilities(line)) {
    return ChangeTrustResult.changeTrustNotAuthMaintainLiabilities();
  }
  updateTrustline(ltx, withPoolUse(line));
  return undefined;
}

function emptyPool(
  liquidityPoolId: xdr.PoolId,
  params: xdr.LiquidityPoolConstantProductParameters,
): xdr.LiquidityPoolEntry {
  const constantProduct = new xdr.LiquidityPoolEntryConstantProduct({
    params,
    reserveA: 0n,
    reserveB: 0n,
    totalPoolShares: 0n,
    poolSharesTrustLineCount: 1n,
  });
  return new xdr.LiquidityPoolEntry({
    liquidityPoolId,
    body: xdr.LiquidityPoolEntryBody.liquidityPoolConstantProduct(constantProduct),
  });
}
