import { accountMerge } from './accountMerge.ts';
import { allowTrust } from './allowTrust.ts';
import { beginSponsoringFutureReserves } from './beginSponsoringFutureReserves.ts';
import { bumpSequence } from './bumpSequence.ts';
import { changeTrust } from './changeTrust.ts';
import { claimClaimableBalance } from './claimClaimableBalance.ts';
import { clawback } from './clawback.ts';
import { clawbackClaimableBalance } from './clawbackClaimableBalance.ts';
import { createAccount } from './createAccount.ts';
import { createClaimableBalance } from './createClaimableBalance.ts';
import { createPassiveSellOffer } from './createPassiveSellOffer.ts';
import { endSponsoringFutureReserves } from './endSponsoringFutureReserves.ts';
import { inflation } from './inflation.ts';
import { liquidityPoolDeposit } from './liquidityPoolDeposit.ts';
import { liquidityPoolWithdraw } from './liquidityPoolWithdraw.ts';
import { manageBuyOffer } from './manageBuyOffer.ts';
import { manageData } from './manageData.ts';
import { manageSellOffer } from './manageSellOffer.ts';
import type { OperationRules, OperationType } from './operation.ts';
import { pathPaymentStrictReceive } from './pathPaymentStrictReceive.ts';
import { pathPaymentStrictSend } from './pathPaymentStrictSend.ts';
import { payment } from './payment.ts';
import { revokeSponsorship } from './revokeSponsorship.ts';
import { setOptions } from './setOptions.ts';
import { setTrustLineFlags } from './setTrustLineFlags.ts';

export {
  type OperationBodyOf,
  type OperationContext,
  type OperationRules,
  type OperationType,
  succeeded,
  type ThresholdLevel,
  type TransactionFacts,
} from './operation.ts';

/** The rules of every classic operation; a missing one results in `opNOT_SUPPORTED`. */
export const operationRules: { readonly [T in OperationType]?: OperationRules<T> } = {
  accountMerge,
  allowTrust,
  beginSponsoringFutureReserves,
  bumpSequence,
  changeTrust,
  claimClaimableBalance,
  clawback,
  clawbackClaimableBalance,
  createAccount,
  createClaimableBalance,
  createPassiveSellOffer,
  endSponsoringFutureReserves,
  inflation,
  liquidityPoolDeposit,
  liquidityPoolWithdraw,
  manageBuyOffer,
  manageData,
  manageSellOffer,
  pathPaymentStrictReceive,
  pathPaymentStrictSend,
  payment,
  revokeSponsorship,
  setOptions,
  setTrustLineFlags,
};

/** The rules of a type of operation, or undefined if it is not supported. */
export function rulesFor<T extends OperationType>(type: T): OperationRules<T> | undefined {
  return operationRules[type];
}
