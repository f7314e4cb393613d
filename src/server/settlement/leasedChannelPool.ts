import { createHash } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Database, SqlValue } from '../store/index.ts';
import type { Channel, ChannelPool } from './channelPool.ts';
import { CHANNEL_COUNT } from './channelSecrets.ts';
import { DATABASE_NOW } from './journal/databaseClock.ts';
import type { Membership } from './journal/membership.ts';
import type { Signer } from './signer.ts';

/** How often the first waiting settlement checks for a channel that another instance has freed. */
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

/** A pool whose channels several instances borrow. */
export interface LeasedChannelPool extends ChannelPool {
  /**
   * Frees channels that the store assigns to this instance although nobody here has them, if that is so at
   * two successive calls. Rejects with StoreError.
   */
  freeLeftovers(): Promise<void>;
  /** Resolves when all returned channels are free for the others. */
  settled(): Promise<void>;
}

/** The services that the pool uses. */
interface LeasedPoolParts {
  readonly signers: readonly Signer[];
  /** A PostgreSQL database. Its clock decides which ticket has expired, as those of the instances may differ. */
  readonly database: Database;
  readonly membership: Membership;
  readonly clock: Clock;
}

/** See `openLeasedChannelPool`. */
class StoredChannelPool implements LeasedChannelPool {
  readonly size: number;
  readonly #database: Database;
  readonly #membership: Membership;
  readonly #clock: Clock;
  readonly #byAddress: ReadonlyMap<string, Signer>;
  /** Identifies this set of accounts among those in the store. */
  readonly #pool: string;
  readonly #lent = new Map<string, Channel>();
  readonly #waiting: Waiter[] = [];
  /** Background writes that are not done yet. */
  readonly #writing = new Set<Promise<unknown>>();
  #looking = false;
  #wake = (): void => {};
  #suspected = new Map<string, number>();

  constructor({ signers, database, membership, clock }: LeasedPoolParts) {
    this.size = signers.length;
    this.#database = database;
    this.#membership = membership;
    this.#clock = clock;
    this.#byAddress = new Map(signers.map((signer) => [signer.address as string, signer]));
    const addresses = [...this.#byAddress.keys()].sort();
    this.#pool = createHash('sha256').update(addresses.join(' ')).digest('hex').slice(0, 16);
  }

  /** Adds the accounts that the store does not have yet. */
  async enter(): Promise<void> {
    const addresses = [...this.#byAddress.keys()].sort();
    await this.#database.run(
      `INSERT INTO channels (address, pool, fence, as_of_ledger, freed_at)
       VALUES ${addresses.map(() => '(?, ?, 0, 0, 0)').join(', ')}
       ON CONFLICT (address) DO UPDATE SET pool = excluded.pool`,
      addresses.flatMap((address) => [address, this.#pool]),
    );
  }

  get free(): number {
    return this.size - this.#lent.size;
  }

  signerOf(address: string): Signer | undefined {
    return this.#byAddress.get(address);
  }

  async acquire(waitMs: number): Promise<Channel | undefined> {
    const channel = await this.#take(Number.MAX_SAFE_INTEGER);
    return channel ?? this.#wait(waitMs);
  }

  release({ signer, sequence, asOfLedger, lease }: Channel): void {
    this.#lent.delete(signer.address);
    if (lease === undefined) return;
    this.#writeBeside(
      `UPDATE channels SET holder = NULL, sequence = ?, as_of_ledger = ?, freed_at = ${DATABASE_NOW}
       WHERE address = ? AND holder = ? AND fence = ?`,
      [sequence ?? null, asOfLedger, signer.address, lease.holder, lease.fence],
      // If it fails, the store assigns it to this instance until `freeLeftovers` finds it.
      () => this.#wake(),
    );
  }

  async withhold(address: string): Promise<Channel | undefined> {
    if (this.#lent.has(address)) return undefined;
    const holder = this.#membership.id;
    const [row] = await this.#database.all<ChannelRow>(
      `UPDATE channels SET holder = ?, fence = fence + 1
       WHERE address = ? AND (holder IS NULL OR holder = ?)
       RETURNING address, fence, sequence, as_of_ledger`,
      [holder, address, holder],
    );
    return row === undefined ? undefined : this.#lend(row, holder);
  }

  async freeLeftovers(): Promise<void> {
    const rows = await this.#database.all<{ address: string; fence: number }>(
      'SELECT address, fence FROM channels WHERE pool = ? AND holder = ?',
      [this.#pool, this.#membership.id],
    );
    const before = this.#suspected;
    this.#suspected = new Map();
    for (const { address, fence } of rows) {
      if (this.#lent.has(address)) continue;
      // A lease may just be on its way here: only one that stays is a leftover.
      if (before.get(address) !== fence) {
        this.#suspected.set(address, fence);
        continue;
      }
      await this.#database.run(
        `UPDATE channels SET holder = NULL, sequence = NULL, freed_at = ${DATABASE_NOW}
         WHERE address = ? AND holder = ? AND fence = ?`,
        [address, this.#membership.id, fence],
      );
    }
    await this.#database.run(`DELETE FROM channel_waits WHERE expires_at < ${DATABASE_NOW}`);
  }

  async settled(): Promise<void> {
    while (this.#writing.size > 0) await Promise.allSettled(this.#writing);
  }

  #lend(row: ChannelRow, holder: string): Channel | undefined {
    const signer = this.#byAddress.get(row.address);
    if (signer === undefined) return undefined;
    const channel: Channel = {
      signer,
      sequence: row.sequence === null ? undefined : BigInt(row.sequence),
      asOfLedger: row.as_of_ledger,
      lease: { holder, fence: row.fence },
    };
    this.#lent.set(row.address, channel);
    return channel;
  }

  /** Takes the channel that was free longest, if enough are left for all waiting with a lower ticket. */
  async #take(ticket: number): Promise<Channel | undefined> {
    const holder = this.#membership.id;
    const pool = this.#pool;
    const [row] = await this.#database.all<ChannelRow>(
      `UPDATE channels SET holder = ?, fence = fence + 1 WHERE address = (
         SELECT address FROM channels WHERE pool = ? AND holder IS NULL
           AND (SELECT COUNT(*) FROM channel_waits AS ahead
                 WHERE ahead.pool = ? AND ahead.ticket < ? AND ahead.expires_at > ${DATABASE_NOW})
             < (SELECT COUNT(*) FROM channels AS open
                 WHERE open.pool = ? AND open.holder IS NULL)
         ORDER BY freed_at, address LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING address, fence, sequence, as_of_ledger`,
      [holder, pool, pool, ticket, pool],
    );
    return row === undefined ? undefined : this.#lend(row, holder);
  }

  async #wait(waitMs: number): Promise<Channel | undefined> {
    const [row] = await this.#database.all<{ ticket: number }>(
      `INSERT INTO channel_waits (pool, instance, expires_at)
       VALUES (?, ?, ${DATABASE_NOW} + CAST(? AS BIGINT)) RETURNING ticket`,
      [this.#pool, this.#membership.id, waitMs],
    );
    const ticket = row?.ticket ?? 0;
    return new Promise((resolve) => {
      const leave = (channel: Channel | undefined): void => {
        giveUp();
        waiter.left = true;
        const index = this.#waiting.indexOf(waiter);
        if (index >= 0) this.#waiting.splice(index, 1);
        // If it fails, the ticket expires soon and then delays nobody.
        this.#writeBeside('DELETE FROM channel_waits WHERE ticket = ?', [ticket]);
        resolve(channel);
      };
      const waiter: Waiter = { ticket, serve: leave, left: false };
      const giveUp = this.#clock.after(waitMs, () => leave(undefined));
      this.#waiting.push(waiter);
      void this.#serveWaiting();
    });
  }

  /** Serves the settlements that wait here, in order, until none is left. */
  async #serveWaiting(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
        const channel = await this.#take(first.ticket).catch(() => undefined);
        if (channel === undefined) await this.#pause();
        else if (first.left) this.release(channel);
        else first.serve(channel);
      }
    } finally {
      this.#looking = false;
    }
  }

  /** Waits a moment, or until a channel is returned here. */
  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#clock.after(LOOK_MS, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }

  #writeBeside(sql: string, params: readonly SqlValue[], then = (): void => {}): void {
    const written = this.#database
      .run(sql, params)
      .catch(() => undefined)
      .finally(() => {
        this.#writing.delete(written);
        then();
      });
    this.#writing.add(written);
  }
}

/**
 * Opens the pool of 50 accounts, shared through the store. A lease belongs to an instance as long as
 * that counts as alive, and has a number that grows with each lease: a transaction is recorded only
 * under the current number. Each waiting settlement draws a ticket; the lowest one is served first,
 * in whichever instance it waits.
 * @throws RangeError if there are not exactly 50; rejects with StoreError
 */
export async function openLeasedChannelPool(parts: LeasedPoolParts): Promise<LeasedChannelPool> {
  const { length } = parts.signers;
  if (length !== CHANNEL_COUNT) {
    throw new RangeError(`the pool has exactly ${CHANNEL_COUNT} channels, not ${length}`);
  }
  const pool = new StoredChannelPool(parts);
  await pool.enter();
  return pool;
}
