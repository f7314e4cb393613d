import { createHash } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Database } from '../store/index.ts';
import type { Channel, ChannelPool } from './channelPool.ts';
import { CHANNEL_COUNT } from './channelSecrets.ts';
import type { Membership } from './journal/membership.ts';
import type { Signer } from './signer.ts';

/** How often whoever waits first looks for a channel that another instance has freed. */
const LOOK_MS = 15;

interface ChannelRow {
  readonly address: string;
  readonly fence: number;
  readonly sequence: number | bigint | null;
  readonly as_of_ledger: number;
}

interface Waiter {
  readonly ticket: number;
  readonly serve: (channel: Channel) => void;
  left: boolean;
}

/** A pool whose channels several instances lend from. */
export interface LeasedChannelPool extends ChannelPool {
  /**
   * Frees what is this instance's in the store and nobody here has, once it was so at two calls.
   * Rejects with StoreError.
   */
  freeLeftovers(): Promise<void>;
  /** Resolves when all that was given back is free for the others. */
  settled(): Promise<void>;
}

/**
 * The pool of 50 accounts, shared through the store. A lease belongs to an instance for as long as
 * that counts as alive, and carries a number that grows with each lease: a transaction is written
 * down only under the number that holds. Who waits draws a ticket; the lowest one is served first,
 * whichever instance it waits in.
 */
export async function openLeasedChannelPool(options: {
  readonly signers: readonly Signer[];
  readonly database: Database;
  readonly membership: Membership;
  readonly clock: Clock;
}): Promise<LeasedChannelPool> {
  const { signers, database, membership, clock } = options;
  if (signers.length !== CHANNEL_COUNT) {
    throw new RangeError(`the pool has exactly ${CHANNEL_COUNT} channels, not ${signers.length}`);
  }
  const byAddress = new Map(signers.map((signer) => [signer.address as string, signer]));
  const addresses = [...byAddress.keys()].sort();
  const pool = createHash('sha256').update(addresses.join(' ')).digest('hex').slice(0, 16);
  const skipLocked = database.dialect === 'postgres' ? 'FOR UPDATE SKIP LOCKED' : '';
  const lent = new Map<string, Channel>();
  const waiting: Waiter[] = [];
  const returning = new Set<Promise<unknown>>();
  let looking = false;
  let wake = (): void => {};
  let suspected = new Map<string, number>();

  await database.run(
    `INSERT INTO channels (address, pool, fence, as_of_ledger, freed_at)
     VALUES ${addresses.map(() => '(?, ?, 0, 0, 0)').join(', ')}
     ON CONFLICT (address) DO UPDATE SET pool = excluded.pool`,
    addresses.flatMap((address) => [address, pool]),
  );

  function lend(row: ChannelRow, holder: string): Channel | undefined {
    const signer = byAddress.get(row.address);
    if (signer === undefined) return undefined;
    const channel: Channel = {
      signer,
      sequence: row.sequence === null ? undefined : BigInt(row.sequence),
      asOfLedger: row.as_of_ledger,
      lease: { holder, fence: row.fence },
    };
    lent.set(row.address, channel);
    return channel;
  }

  /** Takes the channel that was free longest, if one is left for each who waits with a lower ticket. */
  async function take(ticket: number): Promise<Channel | undefined> {
    const holder = membership.id;
    const [row] = await database.all<ChannelRow>(
      `UPDATE channels SET holder = ?, fence = fence + 1 WHERE address = (
         SELECT address FROM channels WHERE pool = ? AND holder IS NULL
           AND (SELECT COUNT(*) FROM channel_waits AS ahead
                 WHERE ahead.pool = ? AND ahead.ticket < ? AND ahead.expires_at > ?)
             < (SELECT COUNT(*) FROM channels AS open
                 WHERE open.pool = ? AND open.holder IS NULL)
         ORDER BY freed_at, address LIMIT 1 ${skipLocked})
       RETURNING address, fence, sequence, as_of_ledger`,
      [holder, pool, pool, ticket, clock.now(), pool],
    );
    return row === undefined ? undefined : lend(row, holder);
  }

  /** Serves those who wait here, in their order, for as long as somebody does. */
  async function look(): Promise<void> {
    if (looking) return;
    looking = true;
    try {
      for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
        const channel = await take(first.ticket).catch(() => undefined);
        if (channel === undefined) {
          await new Promise<void>((resolve) => {
            const cancel = clock.after(LOOK_MS, resolve);
            wake = () => {
              cancel();
              resolve();
            };
          });
          continue;
        }
        if (first.left) giveBack(channel);
        else first.serve(channel);
      }
    } finally {
      looking = false;
    }
  }

  function giveBack(channel: Channel): void {
    const { signer, sequence, asOfLedger, lease } = channel;
    lent.delete(signer.address);
    if (lease === undefined) return;
    const returned = database
      .run(
        `UPDATE channels SET holder = NULL, sequence = ?, as_of_ledger = ?, freed_at = ?
         WHERE address = ? AND holder = ? AND fence = ?`,
        [sequence ?? null, asOfLedger, clock.now(), signer.address, lease.holder, lease.fence],
      )
      // It stays this instance's in the store until `freeLeftovers` finds it.
      .catch(() => undefined)
      .finally(() => {
        returning.delete(returned);
        wake();
      });
    returning.add(returned);
  }

  async function wait(waitMs: number): Promise<Channel | undefined> {
    const [row] = await database.all<{ ticket: number }>(
      'INSERT INTO channel_waits (pool, instance, expires_at) VALUES (?, ?, ?) RETURNING ticket',
      [pool, membership.id, clock.now() + waitMs],
    );
    const ticket = row?.ticket ?? 0;
    return new Promise((resolve) => {
      const leave = (channel: Channel | undefined): void => {
        giveUp();
        waiter.left = true;
        const index = waiting.indexOf(waiter);
        if (index >= 0) waiting.splice(index, 1);
        const gone = database
          .run('DELETE FROM channel_waits WHERE ticket = ?', [ticket])
          // Its time is over soon, and then it holds up nobody.
          .catch(() => undefined)
          .finally(() => returning.delete(gone));
        returning.add(gone);
        resolve(channel);
      };
      const waiter: Waiter = { ticket, serve: leave, left: false };
      const giveUp = clock.after(waitMs, () => leave(undefined));
      waiting.push(waiter);
      void look();
    });
  }

  return {
    size: signers.length,
    get free() {
      return signers.length - lent.size;
    },
    signerOf: (address) => byAddress.get(address),
    async acquire(waitMs) {
      const channel = await take(Number.MAX_SAFE_INTEGER);
      return channel ?? wait(waitMs);
    },
    release: giveBack,
    async withhold(address) {
      if (lent.has(address)) return undefined;
      const holder = membership.id;
      const [row] = await database.all<ChannelRow>(
        `UPDATE channels SET holder = ?, fence = fence + 1
         WHERE address = ? AND (holder IS NULL OR holder = ?)
         RETURNING address, fence, sequence, as_of_ledger`,
        [holder, address, holder],
      );
      return row === undefined ? undefined : lend(row, holder);
    },
    async freeLeftovers() {
      const rows = await database.all<{ address: string; fence: number }>(
        'SELECT address, fence FROM channels WHERE pool = ? AND holder = ?',
        [pool, membership.id],
      );
      const before = suspected;
      suspected = new Map();
      for (const { address, fence } of rows) {
        if (lent.has(address)) continue;
        // A lease may just be on its way here: only one that stays is left over.
        if (before.get(address) !== fence) {
          suspected.set(address, fence);
          continue;
        }
        await database.run(
          `UPDATE channels SET holder = NULL, sequence = NULL, freed_at = ?
           WHERE address = ? AND holder = ? AND fence = ?`,
          [clock.now(), address, membership.id, fence],
        );
      }
      await database.run('DELETE FROM channel_waits WHERE expires_at < ?', [clock.now()]);
    },
    async settled() {
      while (returning.size > 0) await Promise.allSettled(returning);
    },
  };
}
