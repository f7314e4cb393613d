import type { SettlementHash } from '../../protocol/index.ts';
import type { AssetMovement } from '../../protocol/stellar/index.ts';
import type { Clock } from '../clock.ts';
import { RpcError, type StellarNetwork, type TransactionLookup } from '../network/index.ts';

/** The ledger's decision. */
export type Decision =
  | {
      readonly status: 'succeeded';
      readonly ledger: number;
      readonly feeCharged: bigint;
      /** What its contracts report to have moved; `undefined` if nothing shows that. */
      readonly movements?: readonly AssetMovement[] | undefined;
    }
  | {
      readonly status: 'failed';
      readonly ledger: number;
      readonly feeCharged: bigint;
      readonly resultCode: string;
    }
  /** Proved that no ledger included it and none can in future. */
  | { readonly status: 'dropped'; readonly ledger: number };

/** A decision beside the payment that it is about. */
export type Conclusion =
  | Exclude<Decision, { readonly status: 'succeeded' }>
  | {
      readonly status: 'succeeded';
      readonly ledger: number;
      readonly feeCharged: bigint;
      /** What arrived, in atomic units, if it is more than the payment. */
      readonly arrived?: bigint | undefined;
    }
  /** The transaction succeeded, and shows less than the payment. */
  | {
      readonly status: 'short';
      readonly ledger: number;
      readonly feeCharged: bigint;
      /** What arrived, in atomic units; 0 if nothing is shown. */
      readonly arrived: bigint;
    };

/** The fate of a transaction: a decision, or that this server cannot provide one. */
export type Fate =
  | Decision
  /** No future ledger can include it, and the server's history does not reach back far enough. */
  | { readonly status: 'unproven'; readonly ledger: number };

/** Compares answers about a transaction with the ledger's entries. */
export interface Witness {
  /**
   * Starts to read the entries, for an answer that is being asked for. Read together, both are one request. What was
   * read too early to agree with the answer is read again.
   */
  readAhead(): void;
  /**
   * Returns whether the entries agree with an answer or contradict it, or that after many reads nothing can be
   * concluded. Rejects with RpcError.
   */
  judge(decision: Decision): Promise<'agrees' | 'contradicts' | 'unprovable'>;
}

/** Accepts every answer, for transactions that leave no other trace on the ledger. */
export const NO_WITNESS: Witness = { readAhead: () => undefined, judge: async () => 'agrees' };

/** Pause between reads while the ledger's answers contradict each other: about one short ledger. */
export const DOUBT_MS = 500;

/** Whether a search that found nothing went back to before the transaction was sent. */
export function reachesBack(
  { oldestLedger }: { readonly oldestLedger?: number | undefined },
  sentAfter: number,
): boolean {
  return oldestLedger !== undefined && oldestLedger <= sentAfter;
}

/** Converts a transaction that was found to a decision. */
export function decisionOf(
  found: Exclude<TransactionLookup, { readonly status: 'NOT_FOUND' }>,
): Decision {
  const { status, ledger, feeCharged, resultCode, movements } = found;
  return status === 'SUCCESS'
    ? { status: 'succeeded', ledger, feeCharged, ...(movements && { movements }) }
    : { status: 'failed', ledger, feeCharged, resultCode };
}

/**
 * Pauses between the lookups, in milliseconds. A network that closes ledgers on demand decides within a few, a
 * public one takes seconds; the last value repeats.
 */
const PAUSES_MS = [1, 3, 10, 25, 60, 120, 250, 500, 1_000] as const;

/**
 * Looks up a transaction until the ledger has decided it; `undefined` if `deadline` (elapsed
 * time) passes first.
 * @returns `dropped` based on this server alone, if it reports a ledger after the last one that
 * may include the transaction and has searched far enough back
 */
export async function lookUntilDecided(
  hash: SettlementHash,
  { lastLedger, sentAfter }: { readonly lastLedger: number; readonly sentAfter: number },
  deadline: number,
  network: StellarNetwork,
  clock: Clock,
  witness: Witness = NO_WITNESS,
): Promise<Fate | undefined> {
  for (let look = 1; ; look++) {
    let pause: number = PAUSES_MS[look - 1] ?? 1_000;
    try {
      // A network that closes ledgers on demand has decided by the first look; others are asked many times.
      if (look === 1) witness.readAhead();
      const found = await network.lookUp(hash);
      if (found.status !== 'NOT_FOUND') {
        const decision = decisionOf(found);
        const verdict = await witness.judge(decision);
        if (verdict === 'agrees') return decision;
        if (verdict === 'unprovable') return { status: 'unproven', ledger: found.latestLedger };
        pause = Math.max(pause, DOUBT_MS);
      } else if (found.latestLedger > lastLedger) {
        const status = reachesBack(found, sentAfter) ? 'dropped' : 'unproven';
        return { status, ledger: found.latestLedger };
      }
    } catch (error) {
      // A failed lookup shows nothing about the transaction: look again.
      if (!(error instanceof RpcError)) throw error;
    }
    if (clock.elapsed() + pause > deadline) return undefined;
    await clock.sleep(pause);
  }
}
