import type { xdr } from '@stellar/stellar-sdk';
import { sameAsset } from '../../transaction/balances/index.ts';
import { accountFields, accountText } from '../format/address.ts';
import { amountText } from '../format/amount.ts';
import { assetFields } from '../format/asset.ts';
import { claimsOf } from '../history/claims.ts';
import type { HistoryOperation } from '../history/historyOperation.ts';

export function createAccountDetails(op: xdr.CreateAccountOp, source: xdr.MuxedAccount) {
  return {
    starting_balance: amountText(op.startingBalance),
    ...accountFields('funder', source),
    account: accountText(op.destination),
  };
}

export function paymentDetails(op: xdr.PaymentOp, source: xdr.MuxedAccount) {
  return {
    ...assetFields(op.asset),
    ...accountFields('from', source),
    ...accountFields('to', op.destination),
    amount: amountText(op.amount),
  };
}

export function strictReceiveDetails(
  op: xdr.PathPaymentStrictReceiveOp,
  operation: HistoryOperation,
) {
  return {
    ...assetFields(op.destAsset),
    ...accountFields('from', operation.source),
    ...accountFields('to', op.destination),
    amount: amountText(op.destAmount),
    path: op.path.map((asset) => assetFields(asset)),
    source_amount: amountText(sentBy(operation) ?? 0n),
    source_max: amountText(op.sendMax),
    ...assetFields(op.sendAsset, 'source_'),
  };
}

export function strictSendDetails(op: xdr.PathPaymentStrictSendOp, operation: HistoryOperation) {
  return {
    ...assetFields(op.destAsset),
    ...accountFields('from', operation.source),
    ...accountFields('to', op.destination),
    amount: amountText(receivedBy(operation) ?? 0n),
    path: op.path.map((asset) => assetFields(asset)),
    source_amount: amountText(op.sendAmount),
    destination_min: amountText(op.destMin),
    ...assetFields(op.sendAsset, 'source_'),
  };
}

export function accountMergeDetails(destination: xdr.MuxedAccount, source: xdr.MuxedAccount) {
  return { ...accountFields('account', source), ...accountFields('into', destination) };
}

/**
 * The amount that a strict-receive path payment cost: what it paid to the makers of the first market, or the received amount if
 * no market was involved.
 */
export function sentBy(operation: HistoryOperation): bigint | undefined {
  const result = operation.result('pathPaymentStrictReceive')?.pathPaymentStrictReceiveResult;
  if (result?.type !== 'pathPaymentStrictReceiveSuccess') return undefined;
  const claims = claimsOf(operation);
  const [first] = claims;
  if (first === undefined) return result.success.last.amount;
  const next = claims.findIndex(({ assetBought }) => !sameAsset(assetBought, first.assetBought));
  const paid = next < 0 ? claims : claims.slice(0, next);
  return paid.reduce((sum, { amountBought }) => sum + amountBought, 0n);
}

/** The amount that a strict-send path payment delivered. */
export function receivedBy(operation: HistoryOperation): bigint | undefined {
  const result = operation.result('pathPaymentStrictSend')?.pathPaymentStrictSendResult;
  return result?.type === 'pathPaymentStrictSendSuccess' ? result.success.last.amount : undefined;
}
