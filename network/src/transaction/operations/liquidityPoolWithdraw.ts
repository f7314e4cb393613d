import { xdr } from '@stellar/stellar-sdk';
import {
  addBalance,
  addTrustlineBalance,
  LedgerFault,
  loadHolding,
  loadPool,
  loadTrustlineEntry,
  trustlineAvailableBalance,
  updateHolding,
  updatePool,
  updateTrustline,
  withPoolState,
} from '../balances/index.ts';
import { isPoolSwitchedOff, isTrustlineFrozen, poolShareWorth } from '../exchange/index.ts';
import type { OperationContext, OperationRules } from './operation.ts';

const R = xdr.LiquidityPoolWithdrawResult;

/** LiquidityPoolWithdraw (CAP-38, CAP-77; stellar-core `LiquidityPoolWithdrawOpFrame.cpp`). */
export const liquidityPoolWithdraw: OperationRules<'liquidityPoolWithdraw'> = {
  type: 'liquidityPoolWithdraw',
  threshold: () => 'medium',
  isSupported: (header) => !isPoolSwitchedOff(header, 'withdrawal'),
  checkValid({ liquidityPoolWithdrawOp: op }) {
    const isValid = op.amount > 0n && op.minAmountA >= 0n && op.minAmountB >= 0n;
    return isValid ? undefined : result(R.liquidityPoolWithdrawMalformed());
  },
  apply: (ctx) => result(withdraw(ctx)),
};

function withdraw(ctx: OperationContext<'liquidityPoolWithdraw'>): xdr.LiquidityPoolWithdrawResult {
  const { ltx, source, muxedSource, frozenKeys, events } = ctx;
  const {
    liquidityPoolId: poolId,
    amount,
    minAmountA,
    minAmountB,
  } = ctx.body.liquidityPoolWithdrawOp;

  const shareAsset = xdr.TrustLineAsset.assetTypePoolShare(poolId);
  const shareLine = loadTrustlineEntry(ltx, source, shareAsset);
  if (shareLine === undefined) return R.liquidityPoolWithdrawNoTrust();
  if (trustlineAvailableBalance(shareLine) < amount) return R.liquidityPoolWithdrawUnderfunded();
  const pool = loadPool(ltx, poolId);
  if (pool === undefined) throw new LedgerFault('pool_missing');
  const { params, reserveA, reserveB, totalPoolShares } = pool.body.constantProduct;
  const { assetA, assetB } = params;
  if (
    isTrustlineFrozen(frozenKeys, source, assetA) ||
    isTrustlineFrozen(frozenKeys, source, assetB)
  ) {
    return R.liquidityPoolWithdrawTrustlineFrozen();
  }

  const amountA = poolShareWorth(amount, totalPoolShares, reserveA);
  const amountB = poolShareWorth(amount, totalPoolShares, reserveB);
  const failure =
    receive(ctx, assetA, amountA, minAmountA) ?? receive(ctx, assetB, amountB, minAmountB);
  if (failure !== undefined) return failure;

  const debited = addTrustlineBalance(shareLine, -amount);
  if (debited === undefined) throw new LedgerFault('pool_out_of_bounds');
  updateTrustline(ltx, debited);
  updatePool(
    ltx,
    withPoolState(pool, {
      reserveA: reserveA - amountA,
      reserveB: reserveB - amountB,
      totalPoolShares: totalPoolShares - amount,
    }),
  );
  const address = xdr.ScAddress.scAddressTypeLiquidityPool(poolId);
  events.transfer(assetA, address, muxedSource, amountA, { allowMuxedIdOrMemo: true });
  events.transfer(assetB, address, muxedSource, amountB, { allowMuxedIdOrMemo: true });
  return R.liquidityPoolWithdrawSuccess();
}

function receive(
  { ltx, source }: OperationContext<'liquidityPoolWithdraw'>,
  asset: xdr.Asset,
  amount: bigint,
  minAmount: bigint,
): xdr.LiquidityPoolWithdrawResult | undefined {
  if (amount < minAmount) return R.liquidityPoolWithdrawUnderMinimum();
  const holding = loadHolding(ltx, source, asset);
  if (holding === undefined) throw new LedgerFault('trustline_missing');
  const received = addBalance(ltx.header, holding, amount);
  if (received === undefined) return R.liquidityPoolWithdrawLineFull();
  updateHolding(ltx, received);
  return undefined;
}

function result(inner: xdr.LiquidityPoolWithdrawResult): xdr.OperationResult {
  return xdr.OperationResult.opInner(xdr.OperationResultTr.liquidityPoolWithdraw(inner));
}
