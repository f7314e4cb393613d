import { arrivedIn } from '../../../protocol/stellar/index.ts';
import type { Conclusion, Decision, PaymentTerms } from '../../settlement/index.ts';

type Success<T> = Extract<T, { readonly status: 'succeeded' | 'short' }>;

/**
 * Compares a success with the payment. It proves that the call returned, and the simulation showed what it moved at another
 * ledger: a token of its own code may have moved something else this time. So what the included transaction shows counts.
 * Where nothing shows it, because the server returns no events, the success alone counts.
 */
export function concludedSuccess(
  { status, ledger, feeCharged, movements }: Success<Decision>,
  paid: PaymentTerms | undefined,
): Success<Conclusion> {
  if (movements === undefined || paid === undefined) return { status, ledger, feeCharged };
  const arrived = arrivedIn(movements, paid);
  if (arrived === paid.amount) return { status, ledger, feeCharged };
  return { status: arrived < paid.amount ? 'short' : status, ledger, feeCharged, arrived };
}

/** Compares the ledger's decision with the payment, if that is known. */
export function concluded(decision: Decision, paid: PaymentTerms | undefined): Conclusion {
  return decision.status === 'succeeded' ? concludedSuccess(decision, paid) : decision;
}
