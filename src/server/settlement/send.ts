import type { Clock } from '../clock.ts';
import { RpcError, type StellarNetwork } from '../network/index.ts';
import type { SignedTransaction } from './settlementTransaction.ts';

/** Attempts at a submission that was certainly not accepted (spec: Limits/Transient-failure retry). */
const SEND_ATTEMPTS = 2;
const SEND_PAUSE_MS = 6_000;

/**
 * JSON-RPC errors for a request that the server did not understand. An internal error is not one of
 * them: the transaction may have been forwarded before it.
 */
const NOT_UNDERSTOOD: ReadonlySet<number> = new Set([-32_700, -32_600, -32_601, -32_602]);

/** Whether a submission reached the network. Only evidence counts: silence is `sent`. */
export type SendOutcome =
  /** No connection was established: nothing was sent. */
  | { readonly status: 'never_sent'; readonly detail: string }
  /**
   * The server reports that it did not accept the transaction. That is not proof: it has the signed bytes,
   * which stay valid until their last ledger.
   */
  | { readonly status: 'refused'; readonly detail: string; readonly badSequence: boolean }
  | { readonly status: 'sent' };

/** One attempt: its outcome, and whether another attempt could show more. */
interface Attempt {
  readonly outcome: SendOutcome;
  readonly final: boolean;
}

const SENT: SendOutcome = { status: 'sent' };

function refused(detail: string, badSequence = false): SendOutcome {
  return { status: 'refused', detail, badSequence };
}

async function handOver(transaction: SignedTransaction, network: StellarNetwork): Promise<Attempt> {
  try {
    const { status, resultCode } = await network.send(transaction.envelope);
    if (status === 'PENDING' || status === 'DUPLICATE') return { outcome: SENT, final: true };
    const outcome = refused(
      resultCode === undefined ? status : `${status} ${resultCode}`,
      resultCode === 'txBadSeq',
    );
    return { outcome, final: status === 'ERROR' };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    if (error.neverArrived)
      return { outcome: { status: 'never_sent', detail: error.message }, final: false };
    if (error.code === 'refused' && NOT_UNDERSTOOD.has(error.rpcCode ?? 0)) {
      return { outcome: refused(error.message), final: true };
    }
    return { outcome: SENT, final: false };
  }
}

/**
 * Sends a transaction to the network. After an attempt without a response, even the last one, the same
 * transaction is immediately sent once more, which can only help: it has one hash and is accepted once. But
 * then a refusal proves nothing, since the first attempt may have been accepted.
 */
export async function send(
  transaction: SignedTransaction,
  network: StellarNetwork,
  clock: Clock,
): Promise<SendOutcome> {
  let mayBeIn = false;
  let refusal: SendOutcome | undefined;
  for (let attempt = 1; ; attempt++) {
    const attempted = await handOver(transaction, network);
    const { final } = attempted;
    // Once a server has the bytes, a later attempt that did not reach it proves nothing.
    const outcome =
      attempted.outcome.status === 'never_sent'
        ? (refusal ?? attempted.outcome)
        : attempted.outcome;
    if (outcome.status !== 'sent' && mayBeIn) return { status: 'sent' };
    if (outcome.status === 'refused') refusal = outcome;
    const silent = outcome.status === 'sent';
    if (final || (silent ? mayBeIn : attempt >= SEND_ATTEMPTS)) return outcome;
    mayBeIn = silent;
    if (!silent) await clock.sleep(SEND_PAUSE_MS);
  }
}
