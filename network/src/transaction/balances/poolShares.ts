import { xdr } from '@stellar/stellar-sdk';
import { type LedgerTxn, liquidityPoolKeyId } from '../../state/index.ts';
import { isIssuer, isNative, trustLineAssetOf } from './asset.ts';
import { loadPool, loadTrustlineEntry, updatePool, updateTrustline } from './entryAccess.ts';
import { LedgerFault } from './ledgerFault.ts';
import { withoutPoolUse } from './trustlineExtension.ts';

/** The pool with other reserves, shares or counters. */
export function withPoolState(
  pool: xdr.LiquidityPoolEntry,
  change: {
    readonly reserveA?: bigint;
    readonly reserveB?: bigint;
    readonly totalPoolShares?: bigint;
    readonly poolSharesTrustLineCount?: bigint;
  },
): xdr.LiquidityPoolEntry {
  const constantProduct = new xdr.LiquidityPoolEntryConstantProduct({
    ...pool.body.constantProduct,
    ...change,
  });
  return new xdr.LiquidityPoolEntry({
    ...pool,
    body: xdr.LiquidityPoolEntryBody.liquidityPoolConstantProduct(constantProduct),
  });
}

/**
 * Decrements a pool's trustline count; the pool is removed with its last trustline (CAP-38). Throws if the pool is missing or
 * its count is zero.
 */
export function dropPoolShareLine(ltx: LedgerTxn, poolId: xdr.PoolId): void {
  const pool = loadPool(ltx, poolId);
  const count = (pool?.body.constantProduct.poolSharesTrustLineCount ?? 0n) - 1n;
  if (pool === undefined || count < 0n) throw new LedgerFault('pool_counter_negative');
  if (count === 0n) ltx.erase(liquidityPoolKeyId(poolId));
  else updatePool(ltx, withPoolState(pool, { poolSharesTrustLineCount: count }));
}

/** Decrements the pool use count of the owner's trustline to one of the pool's assets. */
export function dropPoolUse(ltx: LedgerTxn, owner: xdr.PublicKey, asset: xdr.Asset): void {
  if (isNative(asset) || isIssuer(owner, asset)) return;
  const line = loadTrustlineEntry(ltx, owner, trustLineAssetOf(asset));
  if (line === undefined) throw new LedgerFault('trustline_missing');
  updateTrustline(ltx, withoutPoolUse(line));
}
