import type { SettlementHash } from '../../protocol/index.ts';
import type { Clock } from '../clock.ts';
import { RpcError, type StellarNetwork, type TransactionLookup } from '../network/index.ts';

/** What the ledger decided. */
export type Decision =
  | { readonly status: 'succeeded'; readonly ledger: number; readonly feeCharged: bigint }
  | {
      readonly status: 'failed';
      readonly ledger: number;
      readonly feeCharged: bigint;
      readonly resultCode: string;
    }
  /** No ledger included it and none can any more. */
  | { readonly status: 'dropped'; readonly ledger: number };

/** Reads a transaction that was found as a decision. */
export function decisionOf(
  found: Exclude<TransactionLookup, { readonly status: 'NOT_FOUND' }>,
): Decision {
  const { status, ledger, feeCharged, resultCode } = found;
  return status === 'SUCCESS'
    ? { status: 'succeeded', ledger, feeCharged }
    : { status: 'failed', ledger, feeCharged, resultCode };
}

/**
 * Pauses between looks, in milliseconds. A network that closes on demand decides within a few, a
 * public one takes seconds; the last value repeats.
 */
const PAUSES_MS = [0, 1, 3, 10, 25, 60, 120, 250, 500, 1_000] as const;

/**
 * Looks a transaction up until the ledger has decided it; `undefined` when `deadline` (clock
 * time) passes first.
 * @param lastLedger last ledger that may include it
 */
export async function lookUntilDecided(
  hash: SettlementHash,
  lastLedger: number,
  deadline: number,
  network: StellarNetwork,
  clock: Clock,
): Promise<Decision | undefined> {
  for (let look = 0; ; look++) {
    try {
      const found = await network.lookUp(hash);
      if (found.status !== 'NOT_FOUND') return decisionOf(found);
      if (found.latestLedger > lastLedger) return { status: 'dropped', ledger: found.latestLedger };
    } catch (error) {
      // A look that fails tells nothing about the transaction: look again.
      if (!(error instanceof RpcError)) throw error;
    }
    const pause = PAUSES_MS[Math.min(look, PAUSES_MS.length - 1)] ?? 1_000;
    if (clock.now() + pause > deadline) return undefined;
    await clock.sleep(pause);
  }
}
