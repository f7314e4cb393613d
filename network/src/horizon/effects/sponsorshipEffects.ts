import type { xdr } from '@stellar/stellar-sdk';
import { accountText } from '../format/address.ts';
import { canonicalAsset } from '../format/asset.ts';
import { balanceIdText } from '../format/balanceId.ts';
import { hexText } from '../format/hex.ts';
import { dataOf, type EntryDelta } from '../history/entryDelta.ts';
import type { HistoryOperation } from '../history/historyOperation.ts';
import { sponsorBySigner, sponsorOf } from '../history/sponsor.ts';
import type { Resource } from '../http/page.ts';
import { type Effect, effectOn, effectOnAccount } from './effect.ts';

type Change = 'created' | 'updated' | 'removed';

/** The effects for reserves whose sponsor changed. */
export function sponsorshipEffects(operation: HistoryOperation): Effect[] {
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
