import type { SettlementHash } from '../../protocol/index.ts';
import type { Clock } from '../clock.ts';
import { RpcError, type StellarNetwork } from '../network/index.ts';
import { accountKey } from './accountKey.ts';
import {
  type Decision,
  decisionOf,
  type Fate,
  reachesBack,
  type Witness,
} from './lookUntilDecided.ts';
import { sequenceFence } from './sequenceFence.ts';
import type { Signer } from './signer.ts';

/** Between looks: about the time of a ledger on a network that closes often. */
const PAUSE_MS = 500;
/** After a fence was sent, for networks that close a ledger on demand. */
const FIRST_PAUSES_MS = [10, 50, 150] as const;

/** A transaction of a channel whose last ledger seems to be over. */
export interface SeeminglyDropped {
  readonly hash: SettlementHash;
  readonly sequence: bigint;
  readonly channel: Signer;
  readonly sponsor: Signer;
  /** A ledger from before it was handed over. */
  readonly sentAfter: number;
  readonly witness: Witness;
}

/**
 * Looks that must agree that neither the transaction nor its fence is there, where the sequence
 * number was used by a third one: a server that is behind says the same for a while. Each has to
 * search back to before the transaction was handed over, or nothing is proved.
 */
const LOOKS = 6;

/**
 * Makes certain that no ledger includes the transaction, or finds the one that does. What a server
 * says of its latest ledger is no proof, since it may be wrong; that the sequence number was used by
 * another transaction is. Where nothing has used it yet, a fence does.
 * @returns the ledger's decision, or that this server can no longer tell; `undefined` if `deadline` (elapsed time) passes first
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
      // Looked up after the account was read, so that a use that was ours is seen.
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
        const verdict = await witness(decision);
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
