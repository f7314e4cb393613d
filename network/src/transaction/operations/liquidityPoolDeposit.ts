import { xdr } from '@stellar/stellar-sdk';
import {
  addBalance,
  addTrustlineBalance,
  availableBalance,
  type Holding,
  INT64_MAX,
  isHoldingAuthorized,
  LedgerFault,
  loadHolding,
  loadPool,
  loadTrustlineEntry,
  trustlineMaxReceive,
  updateHolding,
  updatePool,
  updateTrustline,
  withPoolState,
} from '../balances/index.ts';
import {
  comparePrices,
  firstDeposit,
  isBadPrice,
  isPoolSwitchedOff,
  isPriceValid,
  isTrustlineFrozen,
  laterDeposit,
} from '../exchange/index.ts';
import type { OperationContext, OperationRules } from './operation.ts';

const R = xdr.LiquidityPoolDepositResult;

/** LiquidityPoolDeposit (CAP-38, CAP-77; stellar-core `LiquidityPoolDepositOpFrame.cpp`). */
export const liquidityPoolDeposit: OperationRules<'liquidityPoolDeposit'> = {
  type: 'liquidityPoolDeposit',
  threshold: () => 'medium',
  isSupported: (header) => !isPoolSwitchedOff(header, 'deposit'),
  checkValid({ liquidityPoolDepositOp: op }) {
    const isValid =
      op.maxAmountA > 0n &&
      op.maxAmountB > 0n &&
      isPriceValid(op.minPrice) &&
      isPriceValid(op.maxPrice) &&
      comparePrices(op.minPrice, op.maxPrice) <= 0;
    return isValid ? undefined : result(R.liquidityPoolDepositMalformed());
  },
  apply: (ctx) => result(deposit(ctx)),
};

function deposit(ctx: OperationContext<'liquidityPoolDeposit'>): xdr.LiquidityPoolDepositResult {
  const { ltx, source, muxedSource, frozenKeys, events } = ctx;
  const { header } = ltx;
  const op = ctx.body.liquidityPoolDepositOp;
  const { liquidityPoolId: poolId } = op;

  const shareAsset = xdr.TrustLineAsset.assetTypePoolShare(poolId);
  const shareLine = loadTrustlineEntry(ltx, source, shareAsset);
  if (shareLine === undefined) return R.liquidityPoolDepositNoTrust();
  const pool = loadPool(ltx, poolId);
  if (pool === undefined) throw new LedgerFault('pool_missing');
  const { params, reserveA, reserveB, totalPoolShares } = pool.body.constantProduct;
  const { assetA, assetB } = params;

  const holdingA = mustLoad(ctx, assetA);
  const holdingB = mustLoad(ctx, assetB);
  if (!isHoldingAuthorized(holdingA) || !isHoldingAuthorized(holdingB)) {
    return R.liquidityPoolDepositNotAuthorized();
  }
  if (
    isTrustlineFrozen(frozenKeys, source, assetA) ||
    isTrustlineFrozen(frozenKeys, source, assetB)
  ) {
    return R.liquidityPoolDepositTrustlineFrozen();
  }

  const { amountA, amountB, shares } =
    totalPoolShares === 0n
      ? firstDeposit(op.maxAmountA, op.maxAmountB)
      : laterDeposit(pool.body.constantProduct, op.maxAmountA, op.maxAmountB);
  if (
    availableBalance(header, holdingA) < amountA ||
    availableBalance(header, holdingB) < amountB
  ) {
    return R.liquidityPoolDepositUnderfunded();
  }
  if (isBadPrice(amountA, amountB, op.minPrice, op.maxPrice)) {
    return R.liquidityPoolDepositBadPrice();
  }
  if (trustlineMaxReceive(shareLine) < shares) return R.liquidityPoolDepositLineFull();
  const after = {
    reserveA: reserveA + amountA,
    reserveB: reserveB + amountB,
    totalPoolShares: totalPoolShares + shares,
  };
  if (Object.values(after).some((amount) => amount > INT64_MAX)) {
    return R.liquidityPoolDepositPoolFull();
  }

  const paidA = addBalance(header, holdingA, -amountA);
  const paidB = addBalance(header, holdingB, -amountB);
  const credited = addTrustlineBalance(shareLine, shares);
  if (paidA === undefined || paidB === undefined || credited === undefined || shares === 0n) {
    throw new LedgerFault('pool_out_of_bounds');
  }
  updateHolding(ltx, paidA);
  updateHolding(ltx, paidB);
  updateTrustline(ltx, credited);
  updatePool(ltx, withPoolState(pool, after));
  const address = xdr.ScAddress.scAddressTypeLiquidityPool(poolId);
  events.transfer(assetA, muxedSource, address, amountA);
  events.transfer(assetB, muxedSource, address, amountB);
  return R.liquidityPoolDepositSuccess();
}

/** A holder of pool shares also has trustlines to the pool's assets. */
function mustLoad(
  { ltx, source }: OperationContext<'liquidityPoolDeposit'>,
  asset: xdr.Asset,
): Holding {
  const holding = loadHolding(ltx, source, asset);
  if (holding === undefined) throw new LedgerFault('trustline_missing');
  return holding;
}

function result(inner: xdr.LiquidityPoolDepositResult): xdr.OperationResult {
  return xdr.OperationResult.opInner(xdr.OperationResultTr.liquidityPoolDeposit(inner));
}
