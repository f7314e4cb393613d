import type { Clock } from '../clock.ts';
import { RpcError, type StellarNetwork } from '../network/index.ts';
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

/** One attempt: what it shows, and whether another one could show more. */
interface Attempt {
  readonly outcome: SendOutcome;
  readonly final: boolean;
}

const SENT: SendOutcome = { status: 'sent' };

function neverSent(detail: string, badSequence = false): SendOutcome {
  return { status: 'never_sent', detail, badSequence };
}

async function handOver(transaction: SignedTransaction, network: StellarNetwork): Promise<Attempt> {
  try {
    const { status, resultCode } = await network.send(transaction.envelope);
    if (status === 'PENDING' || status === 'DUPLICATE') return { outcome: SENT, final: true };
    const outcome = neverSent(
      resultCode === undefined ? status : `${status} ${resultCode}`,
      resultCode === 'txBadSeq',
    );
    return { outcome, final: status === 'ERROR' };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    if (error.neverArrived) return { outcome: neverSent(error.message), final: false };
    if (error.code === 'refused' && NOT_ACTED_ON.has(error.rpcCode ?? 0)) {
      return { outcome: neverSent(error.message), final: true };
    }
    return { outcome: SENT, final: false };
  }
}

/**
 * Hands a transaction to the network. After a silent attempt, the last one too, the same transaction
 * is handed over once more at once, which can only help: it has one hash and is taken once. But then
 * a refusal proves nothing, since it may be the answer to a transaction that is already in.
 */
export async function send(
  transaction: SignedTransaction,
  network: StellarNetwork,
  clock: Clock,
): Promise<SendOutcome> {
  let mayBeIn = false;
  for (let attempt = 1; ; attempt++) {
    const { outcome, final } = await handOver(transaction, network);
    if (outcome.status === 'never_sent' && mayBeIn) return { status: 'sent' };
    const silent = outcome.status === 'sent';
    if (final || (silent ? mayBeIn : attempt >= SEND_ATTEMPTS)) return outcome;
    mayBeIn = silent;
    if (!silent) await clock.sleep(SEND_PAUSE_MS);
  }
}
