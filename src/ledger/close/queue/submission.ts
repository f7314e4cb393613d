import type { xdr } from '@stellar/stellar-sdk';
import type { TransactionOutcome } from '../../transaction/index.ts';

/** The outcome of a submission (Stellar RPC `sendTransaction`, stellar-core `tx`). */
export type Submission =
  /** It waits for the next ledger. */
  | { readonly status: 'PENDING' }
  /** The very same one waits already. */
  | { readonly status: 'DUPLICATE' }
  /** There is no place for it now: its source has another one waiting, or too many wait. */
  | { readonly status: 'TRY_AGAIN_LATER' }
  /** In its present form it can never be part of a ledger. */
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
