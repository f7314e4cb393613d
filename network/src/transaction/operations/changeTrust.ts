import { xdr } from '@stellar/stellar-sdk';
import { type LedgerTxn, trustlineKeyId } from '../../state/index.ts';
import {
  dropPoolShareLine,
  dropPoolUse,
  isAssetValid,
  isAuthorizedToMaintainLiabilities,
  isAuthRequired,
  isClawbackEnabledOnAccount,
  isIssuer,
  isNative,
  issuerOf,
  loadPool,
  loadTrustlineEntry,
  newEntry,
  peekAccount,
  poolIdOf,
  poolUseCount,
  TRUSTLINE_FLAGS,
  trustLineAssetOf,
  trustlineMinimumLimit,
  updatePool,
  updateTrustline,
  withPoolState,
  withPoolUse,
} from '../balances/index.ts';
import {
  payReserveOfNewEntry,
  returnReserveOfEntry,
  sponsorshipFailureResult,
} from '../sponsorship/index.ts';
import type { OperationContext, OperationRules } from './operation.ts';

const { ChangeTrustResult } = xdr;

/**
 * Opens, changes or closes a trustline to an asset or to the shares of a pool (CAP-38;
 * stellar-core `ChangeTrustOpFrame.cpp`).
 */
export const changeTrust: OperationRules<'changeTrust'> = {
  type: 'changeTrust',
  threshold: () => 'medium',
  checkValid({ changeTrustOp: { line, limit } }, source) {
    return limit < 0n || !isAssetValid(line) || isNative(line) || isIssuer(source, line)
      ? result(ChangeTrustResult.changeTrustMalformed())
      : undefined;
  },
  apply(ctx) {
    const asset = trustLineAssetOf(ctx.body.changeTrustOp.line);
    const entry = ctx.ltx.load(trustlineKeyId(ctx.source, asset));
    if (entry?.data.type !== 'trustline') return open(ctx, asset);
    const { trustLine } = entry.data;
    const { limit } = ctx.body.changeTrustOp;
    if (limit < trustlineMinimumLimit(trustLine)) {
      return result(ChangeTrustResult.changeTrustInvalidLimit());
    }
    return limit === 0n ? close(ctx, entry, trustLine) : change(ctx, trustLine);
  },
};

function open(
  { ltx, source, body }: OperationContext<'changeTrust'>,
  asset: xdr.TrustLineAsset,
): xdr.OperationResult {
  const { line, limit } = body.changeTrustOp;
  if (limit === 0n) return result(ChangeTrustResult.changeTrustInvalidLimit());

  let flags = 0;
  if (line.type === 'assetTypePoolShare') {
    const failure = joinPool(ltx, source, line.liquidityPool);
    if (failure !== undefined) return result(failure);
  } else {
    const issuer = issuerIn(ltx, line);
    if (issuer === undefined) return result(ChangeTrustResult.changeTrustNoIssuer());
    if (!isAuthRequired(issuer)) flags |= TRUSTLINE_FLAGS.authorized;
    if (isClawbackEnabledOnAccount(issuer)) flags |= TRUSTLINE_FLAGS.clawbackEnabled;
  }

  const data = xdr.LedgerEntryData.trustline(
    new xdr.TrustLineEntry({
      accountId: source,
      asset,
      balance: 0n,
      limit,
      flags,
      ext: xdr.TrustLineEntryExt.v0(),
    }),
  );
  const paid = payReserveOfNewEntry(ltx, data, source);
  if (!paid.ok) {
    const lowReserve = result(ChangeTrustResult.changeTrustLowReserve());
    return sponsorshipFailureResult(paid.failure, lowReserve);
  }
  ltx.create(paid.entry);
  return result(ChangeTrustResult.changeTrustSuccess());
}

function change(
  { ltx, body }: OperationContext<'changeTrust'>,
  trustLine: xdr.TrustLineEntry,
): xdr.OperationResult {
  const { line, limit } = body.changeTrustOp;
  if (line.type !== 'assetTypePoolShare' && issuerIn(ltx, line) === undefined) {
    return result(ChangeTrustResult.changeTrustNoIssuer());
  }
  updateTrustline(ltx, new xdr.TrustLineEntry({ ...trustLine, limit }));
  return result(ChangeTrustResult.changeTrustSuccess());
}

function close(
  { ltx, source, body }: OperationContext<'changeTrust'>,
  entry: xdr.LedgerEntry,
  trustLine: xdr.TrustLineEntry,
): xdr.OperationResult {
  const { line } = body.changeTrustOp;
  if (line.type !== 'assetTypePoolShare' && poolUseCount(trustLine) !== 0) {
    return result(ChangeTrustResult.changeTrustCannotDelete());
  }
  returnReserveOfEntry(ltx, entry, source);
  ltx.erase(trustlineKeyId(source, trustLine.asset));
  if (line.type === 'assetTypePoolShare' && trustLine.asset.type === 'assetTypePoolShare') {
    dropPoolUse(ltx, source, line.liquidityPool.constantProduct.assetA);
    dropPoolUse(ltx, source, line.liquidityPool.constantProduct.assetB);
    dropPoolShareLine(ltx, trustLine.asset.liquidityPoolId);
  }
  return result(ChangeTrustResult.changeTrustSuccess());
}

function issuerIn(
  ltx: OperationContext['ltx'],
  asset: xdr.ChangeTrustAsset,
): xdr.AccountEntry | undefined {
  const issuer = issuerOf(asset);
  return issuer === undefined ? undefined : peekAccount(ltx, issuer);
}

function result(inner: xdr.ChangeTrustResult): xdr.OperationResult {
  return xdr.OperationResult.opInner(xdr.OperationResultTr.changeTrust(inner));
}

/**
 * Applies the effects of a new pool share trustline on the rest of the ledger: the owner's trustlines to both assets count one
 * more pool, and the pool counts one more trustline or is created. Returns why that is not allowed, if so (CAP-38).
 */
function joinPool(
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
