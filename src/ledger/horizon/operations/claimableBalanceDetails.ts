import type { xdr } from '@stellar/stellar-sdk';
import type { Resource } from '../http/page.ts';
import { accountFields, accountText } from '../text/address.ts';
import { amountText } from '../text/amount.ts';
import { canonicalAsset } from '../text/asset.ts';
import { balanceIdText } from '../text/balanceId.ts';
import { predicateText } from '../text/predicate.ts';

export function createClaimableBalanceDetails(op: xdr.CreateClaimableBalanceOp): Resource {
  return {
    asset: canonicalAsset(op.asset),
    amount: amountText(op.amount),
    claimants: op.claimants.map(claimantText),
  };
}

export function claimClaimableBalanceDetails(
  op: xdr.ClaimClaimableBalanceOp,
  source: xdr.MuxedAccount,
): Resource {
  return { balance_id: balanceIdText(op.balanceId), ...accountFields('claimant', source) };
}

export function clawbackClaimableBalanceDetails(op: xdr.ClawbackClaimableBalanceOp): Resource {
  return { balance_id: balanceIdText(op.balanceId) };
}

export function claimantText({ v0 }: xdr.Claimant): Resource {
  return { destination: accountText(v0.destination), predicate: predicateText(v0.predicate) };
}
