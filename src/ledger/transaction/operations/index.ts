import { accountMerge } from './accountMerge.ts';
import { beginSponsoringFutureReserves } from './beginSponsoringFutureReserves.ts';
import { bumpSequence } from './bumpSequence.ts';
import { changeTrust } from './changeTrust.ts';
import { claimClaimableBalance } from './claimClaimableBalance.ts';
import { clawback } from './clawback.ts';
import { clawbackClaimableBalance } from './clawbackClaimableBalance.ts';
import { createAccount } from './createAccount.ts';
import { createClaimableBalance } from './createClaimableBalance.ts';
import { endSponsoringFutureReserves } from './endSponsoringFutureReserves.ts';
import { inflation } from './inflation.ts';
import { manageData } from './manageData.ts';
import type { OperationRules, OperationType } from './operation.ts';
import { payment } from './payment.ts';
import { revokeSponsorship } from './revokeSponsorship.ts';
import { setOptions } from './setOptions.ts';

export {
  type OperationBodyOf,
  type OperationContext,
  type OperationRules,
  type OperationType,
  succeeded,
  type ThresholdLevel,
  type TransactionFacts,
} from './operation.ts';

/** The rules of every classic operation; one that is missing answers `opNOT_SUPPORTED`. */
export const operationRules: { readonly [T in OperationType]?: OperationRules<T> } = {
  accountMerge,
  beginSponsoringFutureReserves,
  bumpSequence,
  changeTrust,
  claimClaimableBalance,
  clawback,
  clawbackClaimableBalance,
  createAccount,
  createClaimableBalance,
  endSponsoringFutureReserves,
  inflation,
  manageData,
  payment,
  revokeSponsorship,
  setOptions,
};

/** The rules of a type of operation, or undefined where it is not supported. */
export function rulesFor<T extends OperationType>(type: T): OperationRules<T> | undefined {
  return operationRules[type];
}
