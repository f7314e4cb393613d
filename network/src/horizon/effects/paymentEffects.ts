import type { xdr } from '@stellar/stellar-sdk';
import { accountText } from '../format/address.ts';
import { amountText } from '../format/amount.ts';
import { assetFields } from '../format/asset.ts';
import type { HistoryOperation } from '../history/historyOperation.ts';
import type { Resource } from '../http/page.ts';
import { receivedBy, sentBy } from '../operations/paymentDetails.ts';
import { type Effect, effectOn, effectOnAccount } from './effect.ts';
import { tradeEffects } from './tradeEffects.ts';

/** The weight of a new account's master key. */
const FIRST_WEIGHT = 1;

export function createAccountEffects(op: xdr.CreateAccountOp, source: xdr.MuxedAccount): Effect[] {
  const amount = amountText(op.startingBalance);
  return [
    effectOnAccount(op.destination, 'account_created', { starting_balance: amount }),
    effectOn(source, 'account_debited', { asset_type: 'native', amount }),
    firstSigner(op.destination),
  ];
}

/** The effect that comes with every new account, however it was created. */
export function firstSigner(account: xdr.PublicKey): Effect {
  return effectOnAccount(account, 'signer_created', {
    weight: FIRST_WEIGHT,
    public_key: accountText(account),
    key: accountText(account),
  });
}

export function paymentEffects(op: xdr.PaymentOp, source: xdr.MuxedAccount): Effect[] {
  const details = assetAmount(op.asset, op.amount);
  return [
    effectOn(op.destination, 'account_credited', details),
    effectOn(source, 'account_debited', details),
  ];
}

export function strictReceiveEffects(
  op: xdr.PathPaymentStrictReceiveOp,
  operation: HistoryOperation,
): Effect[] {
  const sent = assetAmount(op.sendAsset, sentBy(operation) ?? 0n);
  return [
    effectOn(op.destination, 'account_credited', assetAmount(op.destAsset, op.destAmount)),
    effectOn(operation.source, 'account_debited', sent),
    ...tradeEffects(operation),
  ];
}

export function strictSendEffects(
  op: xdr.PathPaymentStrictSendOp,
  operation: HistoryOperation,
): Effect[] {
  const received = assetAmount(op.destAsset, receivedBy(operation) ?? 0n);
  return [
    effectOn(op.destination, 'account_credited', received),
    effectOn(operation.source, 'account_debited', assetAmount(op.sendAsset, op.sendAmount)),
    ...tradeEffects(operation),
  ];
}

export function accountMergeEffects(
  destination: xdr.MuxedAccount,
  operation: HistoryOperation,
): Effect[] {
  const { source } = operation;
  const result = operation.result('accountMerge')?.accountMergeResult;
  const amount = result?.type === 'accountMergeSuccess' ? result.sourceAccountBalance : 0n;
  const details = { asset_type: 'native', amount: amountText(amount) };
  return [
    effectOn(source, 'account_debited', details),
    effectOn(destination, 'account_credited', details),
    effectOn(source, 'account_removed', {}),
  ];
}

export function assetAmount(asset: xdr.Asset, amount: bigint): Resource {
  return { ...assetFields(asset), amount: amountText(amount) };
}
