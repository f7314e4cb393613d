import type { Clock } from '../clock.ts';
import { RpcError, type StellarNetwork } from '../network/index.ts';
import { accountKey } from './accountKey.ts';
import type { Channel } from './channelPool.ts';

const ATTEMPTS = 5;
const PAUSE_MS = 200;

/**
 * Returns the sequence number for the channel's next transaction. It is counted here, because for a
 * moment a server may still return an account's state from before its last transaction. The ledger is
 * asked only if the count was lost, and only an answer at least as new as the known state is accepted.
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
      // The server's latest ledger is not stored: if it were wrong, every correct answer after it
      // would look old.
      channel.sequence = entry.account.seqNum;
    } else if (attempt >= ATTEMPTS) {
      throw new RpcError('timeout', 'getLedgerEntries', 'the server lags behind the ledger');
    } else {
      await clock.sleep(PAUSE_MS);
    }
  }
  return channel.sequence + 1n;
}

/** Records that the ledger consumed `sequence` in `ledger`, whether or not the transaction succeeded. */
export function sequenceUsed(channel: Channel, sequence: bigint, ledger: number): void {
  channel.sequence = sequence;
  channel.asOfLedger = ledger;
}

/** Records that the count is unknown, so that the ledger is asked before the next use. */
export function sequenceLost(channel: Channel): void {
  channel.sequence = undefined;
}
