import type { Clock } from '../clock.ts';
import { CHANNEL_COUNT } from './channelSecrets.ts';
import type { Signer } from './signer.ts';

/** One account of the pool and the sequence number it used last. */
export interface Channel {
  readonly signer: Signer;
  /** Last sequence number known to be used; `undefined` when the ledger has to be asked. */
  sequence: bigint | undefined;
  /** The ledger that `sequence` stands on: an older view of the account proves nothing. */
  asOfLedger: number;
  /** Under which number it is lent, where several instances share the pool. */
  readonly lease?: { readonly holder: string; readonly fence: number };
}

export interface ChannelPool {
  /**
   * Lends a free channel, or waits in line for one. `undefined` when none came free in time.
   * Whoever borrows must give it back on every way out.
   */
  acquire(waitMs: number): Promise<Channel | undefined>;
  release(channel: Channel): void;
  /**
   * Takes a certain channel out, because a transaction of an earlier run may still use it;
   * `undefined` when it is lent or not of this pool. Given back as any other.
   */
  withhold(address: string): Promise<Channel | undefined>;
  /** Who signs for an account of the pool. */
  signerOf(address: string): Signer | undefined;
  readonly size: number;
  readonly free: number;
}

/**
 * The pool of exactly 50 accounts (spec: Settlement path, 2 and 5). A channel serves one
 * settlement at a time, because the ledger takes one transaction an account and ledger; those who
 * wait are served in the order they came.
 * @throws RangeError when there are not exactly 50
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
