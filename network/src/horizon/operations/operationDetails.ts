import type { HistoryOperation } from '../history/historyOperation.ts';
import { bumpSequenceDetails, manageDataDetails, setOptionsDetails } from './accountDetails.ts';
import {
  claimClaimableBalanceDetails,
  clawbackClaimableBalanceDetails,
  createClaimableBalanceDetails,
} from './claimableBalanceDetails.ts';
import { invokeHostFunctionDetails } from './contractDetails.ts';
import { buyOfferDetails, passiveOfferDetails, sellOfferDetails } from './offerDetails.ts';
import {
  accountMergeDetails,
  createAccountDetails,
  paymentDetails,
  strictReceiveDetails,
  strictSendDetails,
} from './paymentDetails.ts';
import { poolDepositDetails, poolWithdrawDetails } from './poolDetails.ts';
import {
  beginSponsoringDetails,
  endSponsoringDetails,
  revokeSponsorshipDetails,
} from './sponsorshipDetails.ts';
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
