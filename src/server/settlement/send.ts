import type { Clock } from '../clock.ts';
import { RpcError, type StellarNetwork, type Submission } from '../network/index.ts';
import type { SignedTransaction } from './signedEnvelope.ts';

/** Attempts at a submission that was certainly not taken (spec: Limits/Transient-failure retry). */
const SEND_ATTEMPTS = 2;
const SEND_PAUSE_MS = 6_000;

/**
 * JSON-RPC errors by which a server says that it did not understand the request, so did not act on
 * it. An internal error is not among them: the transaction may have gone out before it.
 */
const NOT_ACTED_ON: ReadonlySet<number> = new Set([-32_700, -32_600, -32_601, -32_602]);

/** Whether a submission reached the network. Only evidence counts: silence is `sent`. */
export type SendOutcome =
  | { readonly status: 'never_sent'; readonly detail: string; readonly badSequence: boolean }
  | { readonly status: 'sent' };

function refused(submission: Submission): SendOutcome {
  return {
    status: 'never_sent',
    detail: submission.resultCode ?? submission.status,
    badSequence: submission.resultCode === 'txBadSeq',
  };
}

/**
 * Hands a transaction to the network. A refusal counts as never sent only while every earlier
 * attempt was certainly not taken either: after a silent one, the refusal may be the answer to a
 * transaction that is already in.
 */
export async function send(
  transaction: SignedTransaction,
  network: StellarNetwork,
  clock: Clock,
): Promise<SendOutcome> {
  for (let attempt = 1; ; attempt++) {
    let outcome: SendOutcome;
    try {
      const submission = await network.send(transaction.envelope);
      if (submission.status === 'PENDING' || submission.status === 'DUPLICATE') {
        return { status: 'sent' };
      }
      outcome = refused(submission);
      if (submission.status === 'ERROR') return outcome;
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      if (error.code === 'refused' && NOT_ACTED_ON.has(error.rpcCode ?? 0)) {
        return { status: 'never_sent', detail: error.message, badSequence: false };
      }
      if (!error.neverArrived) return { status: 'sent' };
      outcome = { status: 'never_sent', detail: error.message, badSequence: false };
    }
    if (attempt >= SEND_ATTEMPTS) return outcome;
    await clock.sleep(SEND_PAUSE_MS);
  }
}
