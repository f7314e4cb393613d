import type { SettlementHash } from '../../protocol/index.ts';
import type { Clock } from '../clock.ts';
import { RpcError, type StellarNetwork } from '../network/index.ts';
import { accountKey } from './accountKey.ts';
import {
  type Decision,
  decisionOf,
  type Fate,
  lookUntilDecided,
  reachesBack,
  type Witness,
} from './lookUntilDecided.ts';
import { sequenceFence } from './sequenceFence.ts';
import type { Signer } from './signer.ts';

/** Pause between lookups: about the duration of a ledger on a network with short ledgers. */
const PAUSE_MS = 500;
/** Pauses after a fence was sent, for networks that close a ledger on demand. */
const FIRST_PAUSES_MS = [10, 50, 150] as const;

/** A transaction of a channel whose last ledger seems to have passed. */
export interface SeeminglyDropped {
  readonly hash: SettlementHash;
  readonly sequence: bigint;
  readonly channel: Signer;
  readonly sponsor: Signer;
  /** A ledger from before it was sent. */
  readonly sentAfter: number;
  readonly witness: Witness;
}

/** A transaction that the network may have. */
export interface Pending extends SeeminglyDropped {
  /** Last ledger that may include it. */
  readonly lastLedger: number;
}

/**
 * Looks for the fate of a transaction until `deadline` (elapsed time). It counts as dropped only with
 * proof.
 */
export async function learnFate(
  pending: Pending,
  deadline: number,
  network: StellarNetwork,
  clock: Clock,
): Promise<Fate | undefined> {
  const { hash, witness } = pending;
  const fate = await lookUntilDecided(hash, pending, deadline, network, clock, witness);
  if (fate?.status !== 'dropped' && fate?.status !== 'unproven') return fate;
  return proveDropped(pending, deadline, network, clock);
}

/**
 * Lookups that must agree that neither the transaction nor its fence exists, if a third transaction used
 * the sequence number: a server that is behind reports the same for a while. Each has to search back to
 * before the transaction was sent; otherwise nothing is proved.
 */
const LOOKS = 6;

/**
 * Proves that no ledger includes the transaction, or finds the ledger that does. A server's latest ledger
 * does not prove it, since it may be wrong; another transaction's use of the sequence number does. If
 * nothing has used the number yet, a fence uses it.
 * @returns the ledger's decision, or that this server no longer knows; `undefined` if `deadline` (elapsed time) passes first
 */
export async function proveDropped(
  { hash, sequence, channel, sponsor, sentAfter, witness }: SeeminglyDropped,
  deadline: number,
  network: StellarNetwork,
  clock: Clock,
): Promise<Fate | undefined> {
  const fence = sequenceFence(channel, sponsor, sequence);
  let searchedAll = true;
  let fences = 0;
  for (let looks = 1; ; looks++) {
    try {
      const { entries, latestLedger } = await network.getLedgerEntries([accountKey(channel)]);
      const [entry] = entries;
      const used = entry?.type === 'account' && entry.account.seqNum >= sequence;
      // Looked up after the account was read, so that our own use of the number is seen.
      const found = await network.lookUp(hash);
      let decision: Decision | undefined;
      if (found.status !== 'NOT_FOUND') {
        decision = decisionOf(found);
      } else if (used) {
        const fenced = await network.lookUp(fence.hash);
        searchedAll &&= reachesBack(found, sentAfter);
        if (fenced.status !== 'NOT_FOUND') {
          decision = { status: 'dropped', ledger: fenced.ledger };
        } else if (looks >= LOOKS) {
          if (!searchedAll) return { status: 'unproven', ledger: latestLedger };
          decision = { status: 'dropped', ledger: latestLedger };
        }
      }
      if (decision !== undefined) {
        const verdict = await witness.judge(decision);
        if (verdict === 'agrees') return decision;
        if (verdict === 'unprovable') return { status: 'unproven', ledger: latestLedger };
      }
      if (!used) {
        looks = 0;
        searchedAll = true;
        await network.send(fence.envelope);
      }
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      looks = 0;
    }
    const pause = looks > 0 ? PAUSE_MS : (FIRST_PAUSES_MS[fences++] ?? PAUSE_MS);
    if (clock.elapsed() + pause > deadline) return undefined;
    await clock.sleep(pause);
  }
}
