import type { xdr } from '@stellar/stellar-sdk';
import { type AccountFields, accountFields, accountText, signerText } from '../format/address.ts';
import { canonicalAsset } from '../format/asset.ts';
import { balanceIdText } from '../format/balanceId.ts';
import { hexText } from '../format/hex.ts';
import type { HistoryOperation } from '../history/historyOperation.ts';
import { beginningOf } from '../history/participants.ts';

export function beginSponsoringDetails(op: xdr.BeginSponsoringFutureReservesOp) {
  return { sponsored_id: accountText(op.sponsoredId) };
}

export function endSponsoringDetails(
  operation: HistoryOperation,
): Partial<AccountFields<'begin_sponsor'>> {
  const beginning = beginningOf(operation);
  return beginning === undefined ? {} : accountFields('begin_sponsor', beginning.source);
}

/** The entry or signer whose sponsorship ended; each kind has its own fields. */
export interface RevokeSponsorshipDetails extends TrustlineFields {
  readonly account_id?: string;
  readonly claimable_balance_id?: string;
  readonly data_account_id?: string;
  readonly data_name?: string;
  readonly offer_id?: string;
  readonly signer_account_id?: string;
  readonly signer_key?: string;
  readonly trustline_account_id?: string;
}

/** An asset, or a pool. */
interface TrustlineFields {
  readonly trustline_asset?: string;
  readonly trustline_liquidity_pool_id?: string;
}

export function revokeSponsorshipDetails(op: xdr.RevokeSponsorshipOp): RevokeSponsorshipDetails {
  if (op.type === 'revokeSponsorshipSigner') {
    return {
      signer_account_id: accountText(op.signer.accountId),
      signer_key: signerText(op.signer.signerKey),
    };
  }
  const { ledgerKey: key } = op;
  switch (key.type) {
    case 'account':
      return { account_id: accountText(key.account.accountId) };
    case 'claimableBalance':
      return { claimable_balance_id: balanceIdText(key.claimableBalance.balanceId) };
    case 'data':
      return {
        data_account_id: accountText(key.data.accountId),
        data_name: key.data.dataName.toString(),
      };
    case 'offer':
      return { offer_id: String(key.offer.offerId) };
    case 'trustline':
      return {
        trustline_account_id: accountText(key.trustLine.accountId),
        ...trustlineFields(key.trustLine.asset),
      };
    default:
      return {};
  }
}

function trustlineFields(asset: xdr.TrustLineAsset): TrustlineFields {
  return asset.type === 'assetTypePoolShare'
    ? { trustline_liquidity_pool_id: hexText(asset.liquidityPoolId.value) }
    : { trustline_asset: canonicalAsset(asset) };
}
