import { accountKey } from '../../protocol/stellar/index.ts';
import type { Clock } from '../clock.ts';
import { RpcError, type StellarNetwork } from '../network/index.ts';

import { CHANNEL_COUNT } from './channelSecrets.ts';
import type { Signer } from './signer.ts';

/** One account of the pool and its last used sequence number. */
export interface Channel {
  readonly signer: Signer;
  /** Last sequence number known to be used; `undefined` if the ledger has to be asked. */
  sequence: bigint | undefined;
  /** The ledger as of which `sequence` is known: an older view of the account proves nothing. */
  asOfLedger: number;
  /** The number of its lease, if several instances share the pool. */
  readonly lease?: { readonly holder: string; readonly fence: number };
}

export interface ChannelPool {
  /**
   * Lends a free channel, or waits in line for one. `undefined` if none became free in time.
   * The borrower must return it on every exit.
   */
  acquire(waitMs: number): Promise<Channel | undefined>;
  release(channel: Channel): void;
  /**
   * Withholds a certain channel, because a transaction of an earlier run may still use it;
   * `undefined` if it is lent or not in this pool. It is returned like any other.
   */
  withhold(address: string): Promise<Channel | undefined>;
  /** Returns the signer of an account of the pool. */
  signerOf(address: string): Signer | undefined;
  readonly size: number;
  readonly free: number;
}

/**
 * Creates the pool of exactly 50 accounts (spec: Settlement path, 2 and 5). A channel serves one
 * settlement at a time, because each ledger accepts one transaction per account; waiting settlements
 * are served in order of arrival.
 * @throws RangeError if there are not exactly 50
 */
export function createChannelPool(channels: readonly Channel[], clock: Clock): ChannelPool {
  if (channels.length !== CHANNEL_COUNT) {
    throw new RangeError(`the pool has exactly ${CHANNEL_COUNT} channels, not ${channels.length}`);
  }
  const free = [...channels];
  const waiting = new Set<(channel: Channel) => void>();

  return {
    async withhold(address) {
      const index = free.findIndex(({ signer }) => signer.address === address);
      return index < 0 ? undefined : free.splice(index, 1)[0];
    },
    signerOf: (address) => channels.find(({ signer }) => signer.address === address)?.signer,
    size: channels.length,
    get free() {
      return free.length;
    },
    async acquire(waitMs) {
      const channel = free.shift();
      if (channel !== undefined) return channel;
      return new Promise((resolve) => {
        const serve = (lent: Channel): void => {
          giveUp();
          resolve(lent);
        };
        const giveUp = clock.after(waitMs, () => {
          waiting.delete(serve);
          resolve(undefined);
        });
        waiting.add(serve);
      });
    },
    release(channel) {
      const [next] = waiting;
      if (next === undefined) {
        free.push(channel);
      } else {
        waiting.delete(next);
        next(channel);
      }
    },
  };
}

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
