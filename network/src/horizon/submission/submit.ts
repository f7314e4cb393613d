import { xdr } from '@stellar/stellar-sdk';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Submission, SubmittedTransaction } from '../../close/index.ts';
import type { FoundTransaction } from '../../history/index.ts';
import { resultCodes } from '../format/resultCodes.ts';
import type { HorizonNetwork } from '../horizonView.ts';
import type { Resource } from '../http/paging.ts';
import { HorizonProblem } from '../http/problem.ts';

/** How long a submission waits for its ledger (Horizon `txsub`). */
const PATIENCE_MILLISECONDS = 30_000;

/** A transaction, as a client sent it. */
export interface SentEnvelope {
  readonly text: string;
  readonly envelope: xdr.TransactionEnvelope;
}

/** A transaction of a closed ledger, and the hash by which its sender knows it. */
interface AnsweredSubmission extends FoundTransaction {
  readonly hash: string;
}

/** Maximum number of characters of an unreadable envelope that are returned; in JSON, each can take six. */
const MAX_ECHOED = 128 << 10;

/** @throws HorizonProblem `transaction_malformed` */
export function readEnvelope(text: string): SentEnvelope {
  try {
    return { text, envelope: xdr.TransactionEnvelope.fromXdr(text, 'base64') };
  } catch {
    throw new HorizonProblem('transaction_malformed', { envelope_xdr: text.slice(0, MAX_ECHOED) });
  }
}

/**
 * Submits a transaction and waits for its ledger, or finds it in a ledger that has already closed.
 * @param left aborted when the client disconnects
 * @throws HorizonProblem `transaction_failed` or `transaction_submission_timeout`
 */
export async function submitAndWait(
  network: HorizonNetwork,
  sent: SentEnvelope,
  left: AbortSignal,
): Promise<AnsweredSubmission> {
  const submitted = network.service.submit(sent.envelope);
  const { hash } = submitted;
  const found =
    submitted.submission.status === 'ERROR'
      ? network.service.history.transaction(hash)
      : await closing(network, hash, left);
  if (found === undefined) throw withoutLedger(submitted, sent);
  const { transaction } = found;
  if (!transaction.successful) throw failure(transaction.result, hash, sent);
  return { ...found, hash };
}

/** Waits for the transaction's ledger; undefined if it does not close in time. */
function closing(
  { service, openAnswers }: HorizonNetwork,
  hash: string,
  left: AbortSignal,
): Promise<FoundTransaction | undefined> {
  return new Promise((resolve) => {
    let leave = (): void => {};
    const end = (found: FoundTransaction | undefined): void => {
      stopListening();
      clearTimeout(timer);
      left.removeEventListener('abort', giveUp);
      leave();
      resolve(found);
    };
    const giveUp = (): void => end(undefined);
    const stopListening = service.onClose((ledger) => {
      const transaction = ledger.transactions.find(
        (one) => one.hash === hash || one.innerHash === hash,
      );
      if (transaction !== undefined) end({ ledger, transaction });
    });
    const timer = setTimeout(giveUp, PATIENCE_MILLISECONDS);
    left.addEventListener('abort', giveUp);
    if (openAnswers !== undefined) leave = openAnswers.open(giveUp);
  });
}

function withoutLedger(
  { submission, hash }: SubmittedTransaction,
  sent: SentEnvelope,
): HorizonProblem {
  if (submission.status === 'ERROR') {
    return failure(submission.result, hash, sent, submission.diagnosticEvents);
  }
  return new HorizonProblem('transaction_submission_timeout', { hash, envelope_xdr: sent.text });
}

function failure(
  result: xdr.TransactionResult,
  hash: string,
  { text }: SentEnvelope,
  events: readonly xdr.DiagnosticEvent[] = [],
): HorizonProblem {
  return new HorizonProblem('transaction_failed', {
    envelope_xdr: text,
    result_codes: resultCodes(result, hash),
    result_xdr: result.toXdr('base64'),
    ...(events.length === 0
      ? {}
      : { diagnostic_events: events.map((event) => event.toXdr('base64')) }),
  });
}

const STATUSES: Record<Submission['status'], ContentfulStatusCode> = {
  PENDING: 201,
  DUPLICATE: 409,
  TRY_AGAIN_LATER: 503,
  ERROR: 400,
};

/** Submits a transaction and answers at once with the outcome of the submission. */
export function submitAsync(
  { service }: HorizonNetwork,
  { envelope }: SentEnvelope,
): { readonly status: ContentfulStatusCode; readonly resource: Resource } {
  const { hash, submission } = service.submit(envelope);
  return {
    status: STATUSES[submission.status],
    resource: {
      error_result_xdr:
        submission.status === 'ERROR' ? submission.result.toXdr('base64') : undefined,
      tx_status: submission.status,
      hash,
    },
  };
}
