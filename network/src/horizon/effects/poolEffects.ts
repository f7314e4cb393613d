import { amountText } from '../format/amount.ts';
import { canonicalAsset } from '../format/asset.ts';
import { balanceIdText } from '../format/balanceId.ts';
import { hexText } from '../format/hex.ts';
import { dataOf } from '../history/entryDelta.ts';
import type { HistoryOperation } from '../history/historyOperation.ts';
import { poolDelta } from '../history/poolDelta.ts';
import { balanceMadeEffects, balancesMade } from './claimableBalanceEffects.ts';
import { type Effect, effectOn } from './effect.ts';
import { poolAmounts, poolFields } from './poolFields.ts';

export function poolDepositEffects(operation: HistoryOperation): Effect[] {
  const { body } = operation;
  if (body.type !== 'liquidityPoolDeposit') return [];
  const delta = poolDelta(operation.deltas, body.liquidityPoolDepositOp.liquidityPoolId);
  if (delta === undefined) return [];
  return [
    effectOn(operation.source, 'liquidity_pool_deposited', {
      liquidity_pool: poolFields(delta.pool),
      reserves_deposited: poolAmounts(delta.pool, delta.reserveA, delta.reserveB),
      shares_received: amountText(delta.shares),
    }),
  ];
}

export function poolWithdrawEffects(operation: HistoryOperation): Effect[] {
  const { body } = operation;
  if (body.type !== 'liquidityPoolWithdraw') return [];
  const delta = poolDelta(operation.deltas, body.liquidityPoolWithdrawOp.liquidityPoolId);
  if (delta === undefined) return [];
  return [
    effectOn(operation.source, 'liquidity_pool_withdrew', {
      liquidity_pool: poolFields(delta.pool),
      reserves_received: poolAmounts(delta.pool, -delta.reserveA, -delta.reserveB),
      shares_redeemed: amountText(-delta.shares),
    }),
  ];
}

/** The effects on pool shares whose holder is no longer authorized to hold one of the assets (CAP-38). */
export function poolRevokedEffects(operation: HistoryOperation): Effect[] {
  const delta = poolDelta(operation.deltas);
  const balances = balancesMade(operation);
  if (delta === undefined || balances.length === 0) return [];
  const ids = new Map(
    balances.map(({ asset, balanceId }) => [canonicalAsset(asset), balanceIdText(balanceId)]),
  );
  const revoked = poolAmounts(delta.pool, -delta.reserveA, -delta.reserveB).flatMap((reserve) => {
    const id = ids.get(reserve.asset);
    return id === undefined ? [] : [{ ...reserve, claimable_balance_id: id }];
  });
  return [
    ...balances.flatMap((balance) => balanceMadeEffects(operation, balance)),
    effectOn(operation.source, 'liquidity_pool_revoked', {
      liquidity_pool: poolFields(delta.pool),
      reserves_revoked: revoked,
      shares_revoked: amountText(-delta.shares),
    }),
  ];
}

/** The effects for pools that were created with their first share or removed with their last. */
export function poolLifeEffects({ deltas, source }: HistoryOperation): Effect[] {
  return deltas.flatMap(({ before, after }): Effect[] => {
    const [former, latter] = [dataOf(before, 'liquidityPool'), dataOf(after, 'liquidityPool')];
    if (former === undefined && latter !== undefined) {
      const made = { liquidity_pool: poolFields(latter.liquidityPool) };
      return [effectOn(source, 'liquidity_pool_created', made)];
    }
    if (former !== undefined && after === undefined) {
      const id = hexText(former.liquidityPool.liquidityPoolId.value);
      return [effectOn(source, 'liquidity_pool_removed', { liquidity_pool_id: id })];
    }
    return [];
  });
}
