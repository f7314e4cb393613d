import type { xdr } from '@stellar/stellar-sdk';
import { type AccountFields, accountFields, accountText, signerText } from '../format/address.ts';
import { amountText } from '../format/amount.ts';
import { canonicalAsset } from '../format/asset.ts';
import { balanceIdText } from '../format/balanceId.ts';
import { accountFlagFields } from '../format/flags.ts';
import { base64Text, hexText } from '../format/hex.ts';
import { predicateText } from '../format/predicate.ts';
import { type HistoryOperation, poolDelta } from '../history/historyOperation.ts';
import { beginningOf } from '../history/participants.ts';
import { invokeHostFunctionDetails } from './contractDetails.ts';
import {
  buyOfferDetails,
  passiveOfferDetails,
  priceFields,
  sellOfferDetails,
} from './offerDetails.ts';
import {
  accountMergeDetails,
  createAccountDetails,
  paymentDetails,
  strictReceiveDetails,
  strictSendDetails,
} from './paymentDetails.ts';
import {
  allowTrustDetails,
  changeTrustDetails,
  clawbackDetails,
  setTrustLineFlagsDetails,
} from './trustDetails.ts';

/** The fields that are specific to an operation's type (Horizon `operations_processor`, `Details`). */
export function operationDetails(operation: HistoryOperation) {
  const { body, source } = operation;
  switch (body.type) {
    case 'createAccount':
      return createAccountDetails(body.createAccountOp, source);
    case 'payment':
      return paymentDetails(body.paymentOp, source);
    case 'pathPaymentStrictReceive':
      return strictReceiveDetails(body.pathPaymentStrictReceiveOp, operation);
    case 'pathPaymentStrictSend':
      return strictSendDetails(body.pathPaymentStrictSendOp, operation);
    case 'manageSellOffer':
      return sellOfferDetails(body.manageSellOfferOp);
    case 'manageBuyOffer':
      return buyOfferDetails(body.manageBuyOfferOp);
    case 'createPassiveSellOffer':
      return passiveOfferDetails(body.createPassiveSellOfferOp);
    case 'setOptions':
      return setOptionsDetails(body.setOptionsOp);
    case 'changeTrust':
      return changeTrustDetails(body.changeTrustOp, source);
    case 'allowTrust':
      return allowTrustDetails(body.allowTrustOp, source);
    case 'accountMerge':
      return accountMergeDetails(body.destination, source);
    case 'manageData':
      return manageDataDetails(body.manageDataOp);
    case 'bumpSequence':
      return bumpSequenceDetails(body.bumpSequenceOp);
    case 'createClaimableBalance':
      return createClaimableBalanceDetails(body.createClaimableBalanceOp);
    case 'claimClaimableBalance':
      return claimClaimableBalanceDetails(body.claimClaimableBalanceOp, source);
    case 'beginSponsoringFutureReserves':
      return beginSponsoringDetails(body.beginSponsoringFutureReservesOp);
    case 'endSponsoringFutureReserves':
      return endSponsoringDetails(operation);
    case 'revokeSponsorship':
      return revokeSponsorshipDetails(body.revokeSponsorshipOp);
    case 'clawback':
      return clawbackDetails(body.clawbackOp);
    case 'clawbackClaimableBalance':
      return clawbackClaimableBalanceDetails(body.clawbackClaimableBalanceOp);
    case 'setTrustLineFlags':
      return setTrustLineFlagsDetails(body.setTrustLineFlagsOp);
    case 'liquidityPoolDeposit':
      return poolDepositDetails(body.liquidityPoolDepositOp, operation);
    case 'liquidityPoolWithdraw':
      return poolWithdrawDetails(body.liquidityPoolWithdrawOp, operation);
    case 'invokeHostFunction':
      return invokeHostFunctionDetails(body.invokeHostFunctionOp, operation);
    case 'extendFootprintTtl':
      return { extend_to: body.extendFootprintTtlOp.extendTo };
    case 'inflation':
    case 'restoreFootprint':
      return {};
  }
}

export function setOptionsDetails(op: xdr.SetOptionsOp) {
  return {
    home_domain: op.homeDomain?.length ? op.homeDomain.toString() : undefined,
    inflation_dest: op.inflationDest === null ? undefined : accountText(op.inflationDest),
    master_key_weight: op.masterWeight ?? undefined,
    signer_key: op.signer === null ? undefined : signerText(op.signer.key),
    signer_weight: op.signer?.weight,
    ...accountFlagFields('set', op.setFlags),
    ...accountFlagFields('clear', op.clearFlags),
    low_threshold: op.lowThreshold ?? undefined,
    med_threshold: op.medThreshold ?? undefined,
    high_threshold: op.highThreshold ?? undefined,
  };
}

/** Removed data is written as an empty value. */
export function manageDataDetails(op: xdr.ManageDataOp) {
  return {
    name: op.dataName.toString(),
    value: op.dataValue === null ? '' : base64Text(op.dataValue.value),
  };
}

export function bumpSequenceDetails(op: xdr.BumpSequenceOp) {
  return { bump_to: String(op.bumpTo) };
}

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

export function poolDepositDetails(op: xdr.LiquidityPoolDepositOp, operation: HistoryOperation) {
  const delta = poolDelta(operation.deltas, op.liquidityPoolId);
  const reserves = reservesOf(delta?.pool);
  return {
    liquidity_pool_id: hexText(op.liquidityPoolId.value),
    reserves_max: reserves(op.maxAmountA, op.maxAmountB),
    ...priceFields('min_price', op.minPrice),
    ...priceFields('max_price', op.maxPrice),
    reserves_deposited: reserves(delta?.reserveA ?? 0n, delta?.reserveB ?? 0n),
    shares_received: amountText(delta?.shares ?? 0n),
  };
}

export function poolWithdrawDetails(op: xdr.LiquidityPoolWithdrawOp, operation: HistoryOperation) {
  const delta = poolDelta(operation.deltas, op.liquidityPoolId);
  const reserves = reservesOf(delta?.pool);
  return {
    liquidity_pool_id: hexText(op.liquidityPoolId.value),
    reserves_min: reserves(op.minAmountA, op.minAmountB),
    shares: amountText(op.amount),
    reserves_received: reserves(-(delta?.reserveA ?? 0n), -(delta?.reserveB ?? 0n)),
  };
}

/** An amount and its asset; the asset is unknown if the transaction failed. */
interface ReserveAmount {
  readonly asset: string | undefined;
  readonly amount: string;
}

/** Writes two amounts with their assets. */
function reservesOf(
  pool: xdr.LiquidityPoolEntry | undefined,
): (a: bigint, b: bigint) => ReserveAmount[] {
  const { assetA, assetB } = pool?.body.constantProduct.params ?? {};
  return (a, b) => [
    { asset: assetA && canonicalAsset(assetA), amount: amountText(a) },
    { asset: assetB && canonicalAsset(assetB), amount: amountText(b) },
  ];
}

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
