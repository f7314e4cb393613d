import type { Clock } from '../clock.ts';
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
