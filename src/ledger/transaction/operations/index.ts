import { claimClaimableBalance } from './claimClaimableBalance.ts';
import { clawback } from './clawback.ts';
import { clawbackClaimableBalance } from './clawbackClaimableBalance.ts';
import { createClaimableBalance } from './createClaimableBalance.ts';
import type { OperationRules, OperationType } from './operation.ts';

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
  claimClaimableBalance,
  clawback,
  clawbackClaimableBalance,
  createClaimableBalance,
};

/** The rules of a type of operation, or undefined where it is not supported. */
export function rulesFor<T extends OperationType>(type: T): OperationRules<T> | undefined {
  return operationRules[type];
}
