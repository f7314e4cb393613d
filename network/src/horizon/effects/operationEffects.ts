import type { xdr } from '@stellar/stellar-sdk';
import { accountText, addressText, muxedAddress } from '../format/address.ts';
import { amountText } from '../format/amount.ts';
import { assetFields, canonicalAsset } from '../format/asset.ts';
import { balanceIdText } from '../format/balanceId.ts';
import { hexText } from '../format/hex.ts';
import type { AssetEvent } from '../history/assetEvent.ts';
import {
  dataOf,
  type EntryDelta,
  type HistoryOperation,
  sponsorBySigner,
  sponsorOf,
} from '../history/historyOperation.ts';
import type { Resource } from '../http/paging.ts';
import { bumpSequenceEffects, manageDataEffects, setOptionsEffects } from './accountEffects.ts';
import { type Effect, effectOn, effectOnAccount } from './effect.ts';
import {
  accountMergeEffects,
  assetAmount,
  claimClaimableBalanceEffects,
  clawbackClaimableBalanceEffects,
  createAccountEffects,
  createClaimableBalanceEffects,
  firstSigner,
  paymentEffects,
  poolDepositEffects,
  poolLifeEffects,
  poolWithdrawEffects,
  strictReceiveEffects,
  strictSendEffects,
  tradeEffects,
} from './paymentEffects.ts';
import {
  allowTrustEffects,
  changeTrustEffects,
  clawbackEffects,
  setTrustLineFlagsEffects,
} from './trustEffects.ts';

const known = new WeakMap<HistoryOperation, readonly Effect[]>();

/** The effects of an operation on accounts, in order; none if its transaction failed (Horizon `effects_processor`). */
export function operationEffects(operation: HistoryOperation): readonly Effect[] {
  if (!operation.transaction.successful) return [];
  let effects = known.get(operation);
  if (effects === undefined) {
    effects = [
      ...ownEffects(operation),
      ...sponsorshipEffects(operation),
      ...poolLifeEffects(operation),
    ];
    known.set(operation, effects);
  }
  return effects;
}

function ownEffects(operation: HistoryOperation): Effect[] {
  const { body, source } = operation;
  switch (body.type) {
    case 'createAccount':
      return createAccountEffects(body.createAccountOp, source);
    case 'payment':
      return paymentEffects(body.paymentOp, source);
    case 'pathPaymentStrictReceive':
      return strictReceiveEffects(body.pathPaymentStrictReceiveOp, operation);
    case 'pathPaymentStrictSend':
      return strictSendEffects(body.pathPaymentStrictSendOp, operation);
    case 'manageSellOffer':
    case 'manageBuyOffer':
    case 'createPassiveSellOffer':
      return tradeEffects(operation);
    case 'setOptions':
      return setOptionsEffects(body.setOptionsOp, operation);
    case 'changeTrust':
      return changeTrustEffects(body.changeTrustOp, operation);
    case 'allowTrust':
      return allowTrustEffects(body.allowTrustOp, operation);
    case 'setTrustLineFlags':
      return setTrustLineFlagsEffects(body.setTrustLineFlagsOp, operation);
    case 'accountMerge':
      return accountMergeEffects(body.destination, operation);
    case 'manageData':
      return manageDataEffects(body.manageDataOp, operation);
    case 'bumpSequence':
      return bumpSequenceEffects(operation);
    case 'createClaimableBalance':
      return createClaimableBalanceEffects(operation);
    case 'claimClaimableBalance':
      return claimClaimableBalanceEffects(body.claimClaimableBalanceOp, operation);
    case 'clawback':
      return clawbackEffects(body.clawbackOp, source);
    case 'clawbackClaimableBalance':
      return clawbackClaimableBalanceEffects(body.clawbackClaimableBalanceOp, operation);
    case 'liquidityPoolDeposit':
      return poolDepositEffects(operation);
    case 'liquidityPoolWithdraw':
      return poolWithdrawEffects(operation);
    case 'invokeHostFunction':
      return invokeHostFunctionEffects(operation);
    default:
      return [];
  }
}

/** The effects of a contract call on balances of Stellar assets, and the trustlines and accounts that it created (CAP-73). */
function invokeHostFunctionEffects(operation: HistoryOperation): Effect[] {
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

type Change = 'created' | 'updated' | 'removed';

/** The effects for reserves whose sponsor changed. */
function sponsorshipEffects(operation: HistoryOperation): Effect[] {
  return operation.deltas.flatMap((delta) => [
    ...entryEffects(operation, delta),
    ...signerEffects(delta),
  ]);
}

/** Horizon does not report sponsored offers. */
function entryEffects({ source }: HistoryOperation, { before, after }: EntryDelta): Effect[] {
  const changed = changeOf(sponsorOf(before), sponsorOf(after));
  const data = (after ?? before)?.data;
  if (changed === undefined || data === undefined) return [];
  const { change, fields } = changed;
  switch (data.type) {
    case 'account':
      return [effectOnAccount(data.account.accountId, `account_sponsorship_${change}`, fields)];
    case 'trustline': {
      const { accountId, asset } = data.trustLine;
      const details = { ...lineFields(asset), ...fields };
      return [effectOnAccount(accountId, `trustline_sponsorship_${change}`, details)];
    }
    case 'data': {
      const details = { data_name: data.data.dataName.toString(), ...fields };
      return [effectOn(source, `data_sponsorship_${change}`, details)];
    }
    case 'claimableBalance': {
      const details = { balance_id: balanceIdText(data.claimableBalance.balanceId), ...fields };
      return [effectOn(source, `claimable_balance_sponsorship_${change}`, details)];
    }
    default:
      return [];
  }
}

function signerEffects({ before, after }: EntryDelta): Effect[] {
  const account = dataOf(after ?? before, 'account')?.account;
  if (account === undefined) return [];
  const [former, latter] = [sponsorBySigner(before), sponsorBySigner(after)];
  const signers = [...new Set([...former.keys(), ...latter.keys()])].sort();
  return signers.flatMap((signer) => {
    const changed = changeOf(former.get(signer), latter.get(signer));
    if (changed === undefined) return [];
    const { change, fields } = changed;
    const details = { signer, ...fields };
    return [effectOnAccount(account.accountId, `signer_sponsorship_${change}`, details)];
  });
}

function changeOf(
  before: xdr.PublicKey | undefined,
  after: xdr.PublicKey | undefined,
): { readonly change: Change; readonly fields: Resource } | undefined {
  const [former, latter] = [before && accountText(before), after && accountText(after)];
  if (former === latter) return undefined;
  if (former === undefined) return { change: 'created', fields: { sponsor: latter } };
  if (latter === undefined) return { change: 'removed', fields: { former_sponsor: former } };
  return { change: 'updated', fields: { former_sponsor: former, new_sponsor: latter } };
}

/** The asset type is written for pool shares only. */
function lineFields(asset: xdr.TrustLineAsset): Resource {
  return asset.type === 'assetTypePoolShare'
    ? { asset_type: 'liquidity_pool', liquidity_pool_id: hexText(asset.liquidityPoolId.value) }
    : { asset_type: '', asset: canonicalAsset(asset) };
}
