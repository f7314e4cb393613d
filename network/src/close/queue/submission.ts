import type { xdr } from '@stellar/stellar-sdk';
import type { TransactionOutcome } from '../../transaction/index.ts';

/** The outcome of a submission (Stellar RPC `sendTransaction`, stellar-core `tx`). */
export type Submission =
  /** It waits for the next ledger. */
  | { readonly status: 'PENDING' }
  /** The same transaction is already waiting. */
  | { readonly status: 'DUPLICATE' }
  /** There is no room for it now: its source has another transaction waiting, or too many are waiting. */
  | { readonly status: 'TRY_AGAIN_LATER' }
  /** In its present form, it can never be included in a ledger. */
  | {
      readonly status: 'ERROR';
      readonly result: xdr.TransactionResult;
      readonly diagnosticEvents: readonly xdr.DiagnosticEvent[];
    };

export const PENDING: Submission = { status: 'PENDING' };
export const DUPLICATE: Submission = { status: 'DUPLICATE' };
export const TRY_AGAIN_LATER: Submission = { status: 'TRY_AGAIN_LATER' };

export function refused(
  outcome: TransactionOutcome,
  diagnosticEvents: readonly xdr.DiagnosticEvent[] = [],
): Submission {
  return { status: 'ERROR', result: outcome.toXdr(), diagnosticEvents };
}
