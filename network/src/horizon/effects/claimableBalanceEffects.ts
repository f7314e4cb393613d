import type { xdr } from '@stellar/stellar-sdk';
import { amountText } from '../format/amount.ts';
import { canonicalAsset } from '../format/asset.ts';
import { balanceIdText } from '../format/balanceId.ts';
import { predicateText } from '../format/predicate.ts';
import { dataOf } from '../history/entryDelta.ts';
import type { HistoryOperation } from '../history/historyOperation.ts';
import { type Effect, effectOn, effectOnAccount } from './effect.ts';
import { assetAmount } from './paymentEffects.ts';

export function createClaimableBalanceEffects(operation: HistoryOperation): Effect[] {
  const [balance] = balancesMade(operation);
  if (balance === undefined) return [];
  return [
    ...balanceMadeEffects(operation, balance),
    effectOn(operation.source, 'account_debited', assetAmount(balance.asset, balance.amount)),
  ];
}

export function claimClaimableBalanceEffects(
  op: xdr.ClaimClaimableBalanceOp,
  operation: HistoryOperation,
): Effect[] {
  const id = balanceIdText(op.balanceId);
  const balance = balancesGone(operation).find((one) => balanceIdText(one.balanceId) === id);
  if (balance === undefined) return [];
  const { source } = operation;
  return [
    effectOn(source, 'claimable_balance_claimed', balanceFields(balance)),
    effectOn(source, 'account_credited', assetAmount(balance.asset, balance.amount)),
  ];
}

/** A clawed-back amount is reported as if its issuer had received it. */
export function clawbackClaimableBalanceEffects(
  op: xdr.ClawbackClaimableBalanceOp,
  operation: HistoryOperation,
): Effect[] {
  const { source } = operation;
  const clawedBack = effectOn(source, 'claimable_balance_clawed_back', {
    balance_id: balanceIdText(op.balanceId),
  });
  const [balance] = balancesGone(operation);
  if (balance === undefined) return [clawedBack];
  const credited = assetAmount(balance.asset, balance.amount);
  return [clawedBack, effectOn(source, 'account_credited', credited)];
}

/** The claimable balances that an operation created. */
export function balancesMade({ deltas }: HistoryOperation): xdr.ClaimableBalanceEntry[] {
  return deltas.flatMap(({ before, after }) => {
    const balance = dataOf(after, 'claimableBalance')?.claimableBalance;
    return before === undefined && balance !== undefined ? [balance] : [];
  });
}

/**
 * The effects of a new balance on its creator and its claimants. Predicates are taken from the operation if it has them,
 * because relative times become absolute when the balance is created.
 */
export function balanceMadeEffects(
  { body, source }: HistoryOperation,
  balance: xdr.ClaimableBalanceEntry,
): Effect[] {
  const { claimants } =
    body.type === 'createClaimableBalance' ? body.createClaimableBalanceOp : balance;
  const fields = balanceFields(balance);
  return [
    effectOn(source, 'claimable_balance_created', fields),
    ...claimants.map(({ v0 }) =>
      effectOnAccount(v0.destination, 'claimable_balance_claimant_created', {
        ...fields,
        predicate: predicateText(v0.predicate),
      }),
    ),
  ];
}

function balancesGone({ deltas }: HistoryOperation): xdr.ClaimableBalanceEntry[] {
  return deltas.flatMap(({ before, after }) => {
    const balance = dataOf(before, 'claimableBalance')?.claimableBalance;
    return after === undefined && balance !== undefined ? [balance] : [];
  });
}

function balanceFields(balance: xdr.ClaimableBalanceEntry): Effect['details'] {
  return {
    asset: canonicalAsset(balance.asset),
    balance_id: balanceIdText(balance.balanceId),
    amount: amountText(balance.amount),
  };
}
