import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { settlementHash } from '../../src/protocol/index.ts';
import { authorizationKey } from '../../src/protocol/stellar/index.ts';
import { type IdentifiedNetwork, identifyNetwork } from '../../src/server/facilitator/index.ts';
import { systemClock } from '../../src/server/index.ts';
import {
  deriveChannelSecrets,
  joinInstances,
  type Membership,
  openJournal,
  openLeasedChannelPool,
} from '../../src/server/settlement/index.ts';
import { openSigner } from '../../src/server/settlement/signer.ts';
import { type Database, openStore } from '../../src/server/store/index.ts';
import { PAYER, paymentRequest } from '../support/payment.ts';
import { type PrivatePostgres, postgresMissing, startPrivatePostgres } from './privatePostgres.ts';

const LONG_TTL_MS = 60_000;
/** For channels that are free, or will be. */
const PATIENCE_MS = 30_000;
const signers = deriveChannelSecrets('seed of the lease tests').map((secret) => {
  const signer = openSigner(secret);
  assert.ok(signer);
  return signer;
});
const pause = (ms: number) => systemClock.sleep(ms);

describe('Instances that share PostgreSQL', { skip: postgresMissing ?? false }, () => {
  let server: PrivatePostgres;
  let url: string;
  const open: Database[] = [];

  before(async () => {
    server = await startPrivatePostgres();
    url = await server.createDatabase();
  });
  after(async () => {
    for (const database of open) await database.close();
    await server.close();
  });

  /**
   * One instance, with connections of its own; it counts as alive while heartbeats are sent for it.
   * @param off milliseconds by which the wall clock of its pool is ahead
   */
  async function instance(ttlMs: number, off = 0) {
    const database = await openStore({ databaseUrl: url, dataFolder: null });
    open.push(database);
    const membership = await joinInstances(database, systemClock, randomUUID, ttlMs);
    const clock = { ...systemClock, now: () => Date.now() + off };
    const pool = await openLeasedChannelPool({ signers, database, membership, clock });
    const journal = openJournal(database, systemClock);
    return { database, membership, pool, journal };
  }

  /** One instance whose wall clock is set to another time after it has joined, and for which time passes when asked for. */
  async function instanceOffBy(milliseconds: number) {
    const database = await openStore({ databaseUrl: url, dataFolder: null });
    open.push(database);
    let off = 0;
    let passed = 0;
    const clock = {
      ...systemClock,
      now: () => Date.now() + off,
      elapsed: () => systemClock.elapsed() + passed,
    };
    const membership = await joinInstances(database, clock, randomUUID, LONG_TTL_MS);
    off = milliseconds;
    const pass = (ms: number): void => {
      passed += ms;
    };
    return { membership, pass };
  }

  /** Resolves once so many settlements wait for a channel. */
  async function waitingFor(database: Database, count: number): Promise<void> {
    for (;;) {
      const [row] = await database.all<{ n: number }>('SELECT COUNT(*) AS n FROM channel_waits');
      if (Number(row?.n) === count) return;
      await pause(5);
    }
  }

  async function settleAll(...memberships: Membership[]): Promise<void> {
    for (const membership of memberships) await membership.leave();
  }

  it('record a network once, and a reset once, however many start together', async () => {
    const started = await Promise.all(
      Array.from({ length: 8 }, () => openStore({ databaseUrl: url, dataFolder: null })),
    );
    open.push(...started);
    const [sponsor] = signers;
    assert.ok(sponsor);
    await started[0]?.run('CREATE TABLE set_apart (old INTEGER NOT NULL)');
    for (const [round, hash] of ['first', 'second', 'third'].entries()) {
      const reader = {
        getHealth: async () => ({
          problem: undefined,
          ledgers: { oldest: 2, latest: 500, oldestClosedAt: undefined },
        }),
        ledgerHash: async () => hash,
        getLedgerEntries: async () => ({
          entries: [],
          latestLedger: 500,
          modifiedIn: [],
          liveUntil: [],
        }),
      };
      const identified: IdentifiedNetwork[] = await Promise.all(
        started.map((database) =>
          identifyNetwork(database, sponsor, reader, systemClock, async (within, old) => {
            await within.run('INSERT INTO set_apart (old) VALUES (?)', [old]);
          }),
        ),
      );
      assert.deepEqual(new Set(identified.map(({ id }) => id)), new Set([round + 1]));
      const rows = await started[0]?.all<{ id: number }>('SELECT id FROM networks ORDER BY id');
      assert.equal(Number(rows?.at(-1)?.id), round + 1);
      const apart = await started[0]?.all<{ old: number }>('SELECT old FROM set_apart');
      assert.equal(apart?.length, round);
    }
  });

  it('consider no instance dead because a clock was set forward', async () => {
    const { membership } = await instance(LONG_TTL_MS);
    const { id } = membership;
    const { membership: other } = await instanceOffBy(600_000);
    await other.adopt();
    await membership.beat();
    assert.equal(membership.id, id);
    await settleAll(membership, other);
  });

  it('hold no lease longer because a clock was set back', async () => {
    const { membership, pass } = await instanceOffBy(-600_000);
    pass(LONG_TTL_MS + 100);
    assert.equal(membership.holdsLease, false);
    await membership.beat();
    assert.equal(membership.holdsLease, true);
    await settleAll(membership);
  });

  it('lend each channel to one settlement at a time, and serve waiting ones', async () => {
    const [a, b, c] = [
      await instance(LONG_TTL_MS),
      await instance(LONG_TTL_MS),
      await instance(LONG_TTL_MS),
    ];
    const held = new Set<string>();
    let most = 0;
    const work = async ({ pool }: typeof a): Promise<void> => {
      const channel = await pool.acquire(PATIENCE_MS);
      assert.ok(channel, 'none came free');
      assert.equal(held.has(channel.signer.address), false, 'lent twice');
      held.add(channel.signer.address);
      most = Math.max(most, held.size);
      await pause(5);
      channel.sequence = (channel.sequence ?? 0n) + 1n;
      held.delete(channel.signer.address);
      pool.release(channel);
    };
    await Promise.all(Array.from({ length: 200 }, (_, i) => work([a, b, c][i % 3] ?? a)));
    assert.ok(most <= 50);
    for (const { pool } of [a, b, c]) await pool.settled();
    const rows = await a.database.all<{ holder: string | null; sequence: number }>(
      'SELECT holder, sequence FROM channels',
    );
    assert.equal(rows.filter(({ holder }) => holder !== null).length, 0);
    // Each instance continued from the sequence number that another had reached.
    assert.equal(
      rows.reduce((sum, { sequence }) => sum + Number(sequence ?? 0), 0),
      200,
    );
    await settleAll(a.membership, b.membership, c.membership);
  });

  async function serveInOrder(off: number): Promise<void> {
    const [a, b] = [await instance(LONG_TTL_MS), await instance(LONG_TTL_MS, off)];
    const all = await Promise.all(signers.map(() => a.pool.acquire(PATIENCE_MS)));
    const order: string[] = [];
    const waiting = [];
    for (const [name, { pool }] of [
      ['first', b],
      ['second', a],
      ['third', b],
    ] as const) {
      waiting.push(
        pool.acquire(PATIENCE_MS).then((channel) => {
          order.push(name);
          return { pool, channel };
        }),
      );
      await waitingFor(a.database, waiting.length);
    }
    // What is left of others is cleared away regularly; those who wait stay.
    await a.pool.freeLeftovers();
    await b.pool.freeLeftovers();
    for (const [turn, channel] of all.slice(0, 3).entries()) {
      assert.ok(channel);
      a.pool.release(channel);
      await waiting[turn];
    }
    const served = await Promise.all(waiting);
    assert.deepEqual(order, ['first', 'second', 'third']);
    for (const { pool, channel } of served) if (channel) pool.release(channel);
    for (const channel of all.slice(3)) if (channel) a.pool.release(channel);
    await a.pool.settled();
    await b.pool.settled();
    await settleAll(a.membership, b.membership);
  }

  it('serve waiting settlements in order of arrival, whichever instance they wait in', () =>
    serveInOrder(0));

  it('serve them in that order, too, where the clock of one is an hour ahead', () =>
    serveInOrder(3_600_000));

  it('serve them in that order, too, where the clock of one is an hour behind', () =>
    serveInOrder(-3_600_000));

  it('wait for a limited time, and then delay nobody', async () => {
    const a = await instance(LONG_TTL_MS);
    const all = await Promise.all(signers.map(() => a.pool.acquire(PATIENCE_MS)));
    assert.equal(await a.pool.acquire(80), undefined);
    for (const channel of all) if (channel) a.pool.release(channel);
    await a.pool.settled();
    const channel = await a.pool.acquire(PATIENCE_MS);
    assert.ok(channel);
    a.pool.release(channel);
    await a.pool.settled();
    await settleAll(a.membership);
  });

  it('adopt the work of one that ends: channels, settlements, and unanswered requests', async () => {
    // Long enough that a busy machine reaches the first look within it.
    const ttl = 3_000;
    const [dying, heir] = [await instance(ttl), await instance(LONG_TTL_MS)];
    const channel = await dying.pool.acquire(PATIENCE_MS);
    assert.ok(channel);
    const { record } = await dying.journal.claim(dying.membership.id, {
      id: randomUUID(),
      key: authorizationKey(PAYER.address, 1n),
      request: paymentRequest(),
      expirationLedger: 1_050,
      worstFee: 500_000n,
    });
    await heir.membership.beat();
    await heir.membership.adopt();
    assert.deepEqual(await heir.journal.unfinished(heir.membership.id), []);

    await pause(ttl + 100);
    await heir.membership.beat();
    await heir.membership.adopt();
    const [taken] = await heir.journal.unfinished(heir.membership.id);
    assert.deepEqual([taken?.id, taken?.answer], [record.id, 'owed']);

    // If the first one is alive after all, it can no longer finish what it began there.
    const transaction = {
      hash: settlementHash(new Uint8Array(32)),
      envelope: 'AAAA',
      channel: channel.signer.address,
      sequence: 1n,
      lastLedger: 1_050,
      sentAfter: 1_000,
    };
    assert.equal(await dying.journal.submitting(record, transaction, channel), false);
    dying.pool.release(channel);
    await dying.pool.settled();
    const name = dying.membership.id;
    assert.equal(dying.membership.isCurrent(name), false);
    await dying.membership.beat();
    await dying.membership.adopt();
    assert.notEqual(dying.membership.id, name);

    const lent = await heir.pool.withhold(channel.signer.address);
    assert.ok(lent, 'the channel is its heir’s');
    heir.pool.release(lent);
    await heir.pool.settled();
    await heir.journal.release(taken ?? record);
    const left = await heir.database.all('SELECT 1 FROM channels WHERE holder IS NOT NULL');
    assert.equal(left.length, 0);
    await settleAll(dying.membership, heir.membership);
  });

  it('release channels without an owner after two checks', async () => {
    const a = await instance(LONG_TTL_MS);
    const channel = await a.pool.acquire(PATIENCE_MS);
    assert.ok(channel);
    const other = await openLeasedChannelPool({ ...a, signers, clock: systemClock });
    await other.freeLeftovers();
    const held = () => a.database.all('SELECT 1 FROM channels WHERE holder IS NOT NULL');
    assert.equal((await held()).length, 1);
    await other.freeLeftovers();
    assert.equal((await held()).length, 0);
    await settleAll(a.membership);
  });

  it('survive a broken connection within a transaction that waits between its statements', async () => {
    const a = await instance(LONG_TTL_MS);
    await assert.rejects(
      a.database.transaction(async (within) => {
        await within.all('SELECT 1 AS n');
        await server.stop();
        // The connection ends while it is idle.
        await pause(50);
        await within.all('SELECT 2 AS n');
      }),
      { code: 'unreachable' },
    );
    await server.start();
    assert.deepEqual(await a.database.all('SELECT 3 AS n'), [{ n: 3 }]);
  });

  it('refuse while the database is unreachable, and continue when it is back', async () => {
    const a = await instance(LONG_TTL_MS);
    await server.stop();
    await assert.rejects(a.journal.findByKey(authorizationKey(PAYER.address, 9n)), {
      code: 'unreachable',
    });
    assert.equal(a.database.frozen?.code, 'unreachable');
    await server.start();
    assert.equal(await a.journal.findByKey(authorizationKey(PAYER.address, 9n)), undefined);
    assert.equal(a.database.frozen, undefined);
  });
});
