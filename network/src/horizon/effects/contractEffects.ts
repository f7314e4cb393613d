import type { xdr } from '@stellar/stellar-sdk';
import { accountText, addressText, muxedAddress } from '../format/address.ts';
import { amountText } from '../format/amount.ts';
import { assetFields } from '../format/asset.ts';
import type { AssetEvent } from '../history/assetEvent.ts';
import { dataOf } from '../history/entryDelta.ts';
import type { HistoryOperation } from '../history/historyOperation.ts';
import { type Effect, effectOn, effectOnAccount } from './effect.ts';
import { assetAmount, firstSigner } from './paymentEffects.ts';

/** The effects of a contract call on balances of Stellar assets, and the trustlines and accounts that it created (CAP-73). */
export function invokeHostFunctionEffects(operation: HistoryOperation): Effect[] {
  return [
    ...operation.assetEvents.flatMap((event) => balanceEffects(operation.source, event)),
    ...trustlinesMade(operation),
    ...accountsMade(operation),
  ];
}

function balanceEffects(source: xdr.MuxedAccount, event: AssetEvent): Effect[] {
  const { asset, amount, from, to, toId } = event;
  const details = assetAmount(asset, amount);
  const effects: Effect[] = [];
  if (from?.type === 'scAddressTypeAccount') {
    effects.push(effectOnAccount(from.accountId, 'account_debited', details));
  } else if (from !== undefined) {
    const contract = { ...details, contract: addressText(from) };
    effects.push(effectOn(source, 'contract_debited', contract));
  }
  if (to?.type === 'scAddressTypeAccount') {
    effects.push(credited(to.accountId, toId, details));
  } else if (to !== undefined) {
    const contract = { ...details, contract: addressText(to) };
    effects.push(effectOn(source, 'contract_credited', contract));
  }
  return effects;
}

function credited(
  account: xdr.PublicKey,
  id: bigint | undefined,
  details: Effect['details'],
): Effect {
  const muxed =
    id === undefined
      ? undefined
      : { address: muxedAddress(account.ed25519.value, id), id: String(id) };
  return { account: accountText(account), muxed, type: 'account_credited', details };
}

function trustlinesMade({ deltas }: HistoryOperation): Effect[] {
  return deltas.flatMap(({ before, after }) => {
    const line = dataOf(after, 'trustline')?.trustLine;
    if (before !== undefined || line === undefined) return [];
    const details = { ...assetFields(line.asset), limit: amountText(line.limit) };
    return [effectOnAccount(line.accountId, 'trustline_created', details)];
  });
}

function accountsMade({ deltas }: HistoryOperation): Effect[] {
  return deltas.flatMap(({ before, after }) => {
    const account = dataOf(after, 'account')?.account;
    if (before !== undefined || account === undefined) return [];
    const balance = amountText(account.balance);
    return [
      effectOnAccount(account.accountId, 'account_created', { starting_balance: balance }),
      firstSigner(account.accountId),
    ];
  });
}
