import type { xdr } from '@stellar/stellar-sdk';
import { accountFields, accountText } from '../format/address.ts';
import { amountText } from '../format/amount.ts';
import { canonicalAsset } from '../format/asset.ts';
import { balanceIdText } from '../format/balanceId.ts';
import { predicateText } from '../format/predicate.ts';

export function createClaimableBalanceDetails(op: xdr.CreateClaimableBalanceOp) {
  return {
    asset: canonicalAsset(op.asset),
    amount: amountText(op.amount),
    claimants: op.claimants.map(claimantText),
  };
}

export function claimClaimableBalanceDetails(
  op: xdr.ClaimClaimableBalanceOp,
  source: xdr.MuxedAccount,
) {
  return { balance_id: balanceIdText(op.balanceId), ...accountFields('claimant', source) };
}

export function clawbackClaimableBalanceDetails(op: xdr.ClawbackClaimableBalanceOp) {
  return { balance_id: balanceIdText(op.balanceId) };
}

export function claimantText({ v0 }: xdr.Claimant) {
  return { destination: accountText(v0.destination), predicate: predicateText(v0.predicate) };
}
