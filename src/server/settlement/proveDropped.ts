import type { SettlementHash } from '../../protocol/index.ts';
import type { Clock } from '../clock.ts';
import { RpcError, type StellarNetwork } from '../network/index.ts';
import { accountKey } from './accountKey.ts';
import { type Decision, decisionOf } from './lookUntilDecided.ts';
import { sequenceFence } from './sequenceFence.ts';
import type { Signer } from './signer.ts';

/** Between looks: about the time of a ledger on a network that closes often. */
const PAUSE_MS = 500;

/** A transaction of a channel whose last ledger seems to be over. */
export interface SeeminglyDropped {
  readonly hash: SettlementHash;
  readonly sequence: bigint;
  readonly channel: Signer;
  readonly sponsor: Signer;
}

/**
 * Looks that must agree that neither the transaction nor its fence is there, where the sequence
 * number was used by a third one: a server that is behind says the same for a while.
 */
const LOOKS = 6;

/**
 * Makes certain that no ledger includes the transaction, or finds the one that does. What a server
 * says of its latest ledger is no proof, since it may be wrong; that the sequence number was used by
 * another transaction is. Where nothing has used it yet, a fence does.
 * @returns what the ledger decided; `undefined` when `deadline` (clock time) passes first
 */
export async function proveDropped(
  { hash, sequence, channel, sponsor }: SeeminglyDropped,
  deadline: number,
  network: StellarNetwork,
  clock: Clock,
): Promise<Decision | undefined> {
  const fence = sequenceFence(channel, sponsor, sequence);
  for (let looks = 1; ; looks++) {
    try {
      const { entries, latestLedger } = await network.getLedgerEntries([accountKey(channel)]);
      const [entry] = entries;
      const used = entry?.type === 'account' && entry.account.seqNum >= sequence;
      // Looked up after the account was read, so that a use that was ours is seen.
      const found = await network.lookUp(hash);
      if (found.status !== 'NOT_FOUND') return decisionOf(found);
      if (used) {
        const fenced = await network.lookUp(fence.hash);
        if (fenced.status !== 'NOT_FOUND') return { status: 'dropped', ledger: fenced.ledger };
        if (looks >= LOOKS) return { status: 'dropped', ledger: latestLedger };
      } else {
        looks = 0;
        await network.send(fence.envelope);
      }
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      looks = 0;
    }
    if (clock.now() + PAUSE_MS > deadline) return undefined;
    await clock.sleep(PAUSE_MS);
  }
}
