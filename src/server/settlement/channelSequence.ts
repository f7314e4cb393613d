import type { Clock } from '../clock.ts';
import { RpcError, type StellarNetwork } from '../network/index.ts';
import { accountKey } from './accountKey.ts';
import type { Channel } from './channelPool.ts';

const ATTEMPTS = 5;
const PAUSE_MS = 200;

/**
 * The sequence number the channel's next transaction must carry. It is counted here, because a
 * server may for a moment still show an account as it was before its last transaction; the ledger
 * is asked only when the count was lost, and only an answer at least as new as what is known counts.
 */
export async function nextSequence(
  channel: Channel,
  network: StellarNetwork,
  clock: Clock,
): Promise<bigint> {
  for (let attempt = 1; channel.sequence === undefined; attempt++) {
    const { latestLedger, entries } = await network.getLedgerEntries([accountKey(channel.signer)]);
    const [entry] = entries;
    if (latestLedger >= channel.asOfLedger) {
      if (entry?.type !== 'account') {
        throw new RpcError('bad_answer', 'getLedgerEntries', 'a channel account does not exist');
      }
      // What the server says of its latest ledger is not kept: were it wrong, every true answer
      // after it would look old.
      channel.sequence = entry.account.seqNum;
    } else if (attempt >= ATTEMPTS) {
      throw new RpcError('timeout', 'getLedgerEntries', 'the server lags behind the ledger');
    } else {
      await clock.sleep(PAUSE_MS);
    }
  }
  return channel.sequence + 1n;
}

/** Records that the ledger consumed `sequence` in `ledger`, whatever became of the transaction. */
export function sequenceUsed(channel: Channel, sequence: bigint, ledger: number): void {
  channel.sequence = sequence;
  channel.asOfLedger = ledger;
}

/** Records that the count cannot be trusted: the ledger is asked before the next use. */
export function sequenceLost(channel: Channel): void {
  channel.sequence = undefined;
}
