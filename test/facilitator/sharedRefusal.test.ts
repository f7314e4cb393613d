import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { FacilitatorRequest } from '../../src/protocol/wire/index.ts';
import {
  type FacilitatorOptions,
  type RunningFacilitator,
  startFacilitator,
  systemClock,
} from '../../src/server/index.ts';
import { type Database, openStore } from '../../src/server/store/index.ts';
import {
  type PrivatePostgres,
  postgresMissing,
  startPrivatePostgres,
} from '../store/privatePostgres.ts';
import { balancesOf, openPayer, openSeller } from '../support/accounts.ts';
import { type FaultyRpc, startFaultyRpc } from '../support/faultyRpc.ts';
import { freshPayment } from '../support/freshPayment.ts';
import { facilitatorOptions, type LocalNetwork, startLocalNetwork } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { type Posted, post } from '../support/post.ts';

/** A store whose statements first wait for what `before` says of them. */
function delayed(database: Database, before: (sql: string) => Promise<void> | undefined): Database {
  const { lifeline } = database;
  return {
    dialect: database.dialect,
    ...(lifeline && { lifeline }),
    async all(sql, params) {
      await before(sql);
      return database.all(sql, params);
    },
    async run(sql, params) {
      await before(sql);
      return database.run(sql, params);
    },
    transaction: (work) => database.transaction(work),
    get frozen() {
      return database.frozen;
    },
    close: () => database.close(),
  };
}

/** A store whose claims wait for `held` before they leave. */
function lateClaims(database: Database, held: Promise<void>, onClaim: () => void): Database {
  return delayed(database, (sql) => {
    if (!sql.startsWith('INSERT INTO settlements')) return undefined;
    onClaim();
    return held;
  });
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A promise and its resolver. */
function gate() {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

describe('Identical requests at two instances at the same time', {
  skip: postgresMissing ?? false,
}, () => {
  let server: PrivatePostgres;
  let local: LocalNetwork;
  let rpc: FaultyRpc;
  let payer: TestKey;
  let seller: TestKey;
  const running: RunningFacilitator[] = [];

  before(async () => {
    server = await startPrivatePostgres();
    local = await startLocalNetwork();
    rpc = await startFaultyRpc(local.rpcUrl);
    payer = await openPayer(local);
    seller = await openSeller(local);
  });
  afterEach(async () => {
    rpc.heal();
    for (const one of running.splice(0)) await one.close();
  });
  after(async () => {
    await rpc.close();
    await local.close();
    await server.close();
  });

  async function start(options: Partial<FacilitatorOptions>): Promise<RunningFacilitator> {
    const one = await startFacilitator({
      ...facilitatorOptions(local),
      rateLimitPerMinute: 0,
      ...options,
    });
    running.push(one);
    return one;
  }
  const open = (databaseUrl: string) => openStore({ databaseUrl, dataFolder: null });
  /** Lets so many milliseconds pass for the refusals in this database. */
  async function later(databaseUrl: string, ms: number): Promise<void> {
    const database = await open(databaseUrl);
    const past = 'UPDATE refusals SET first_at = first_at - ?, refused_at = refused_at - ?';
    assert.equal(await database.run(past, [ms, ms]), 1);
    await database.close();
  }
  const received = async () => (await balancesOf(local, seller.address)).usdc;
  const settle = (one: RunningFacilitator, request: FacilitatorRequest): Promise<Posted> =>
    post(one.url, '/settle', request);

  it('one returns that nothing was submitted: then the other does not settle it either', async () => {
    const url = await server.createDatabase();
    const claim = gate();
    const claiming = gate();
    const refuses = await start({ database: await open(url), rpcUrl: rpc.url });
    const late = await start({
      database: lateClaims(await open(url), claim.opened, claiming.open),
    });
    rpc.fault((method) =>
      method === 'simulateTransaction' ? { error: { code: -32_602, message: 'no' } } : undefined,
    );
    const balance = await received();
    const request = await freshPayment(local, payer, seller);

    // The second instance has the request before the first one answers, and claims it after that.
    const second = settle(late, request);
    await claiming.opened;
    const first = await settle(refuses, request);
    assert.equal(first.body.success, false);
    assert.equal(first.body.extra?.moneyMoved, 'not_yet');
    claim.open();

    const { body } = await second;
    assert.equal(body.success, false);
    assert.equal(body.reason, first.body.reason);
    assert.equal(body.extra?.moneyMoved, 'not_yet');
    assert.equal(await received(), balance);
    // A request a moment later starts a new settlement, on any instance.
    await later(url, 1_100);
    assert.equal((await settle(late, request)).body.success, true);
  });

  it('the same applies to a request that arrives shortly after the other’s answer', async () => {
    const url = await server.createDatabase();
    const refuses = await start({ database: await open(url), rpcUrl: rpc.url });
    const other = await start({ database: await open(url) });
    rpc.fault((method) =>
      method === 'simulateTransaction' ? { error: { code: -32_602, message: 'no' } } : undefined,
    );
    const balance = await received();
    const request = await freshPayment(local, payer, seller);
    assert.equal((await settle(refuses, request)).body.extra?.moneyMoved, 'not_yet');
    assert.equal((await settle(other, request)).body.extra?.moneyMoved, 'not_yet');
    assert.equal(await received(), balance);
    // The instance that refused it knows what happened after its own refusal.
    rpc.heal();
    await later(url, 1_100);
    assert.equal((await settle(refuses, request)).body.success, true);
  });

  it('the same applies at an instance that stalled for seconds and then reads the request', async () => {
    const url = await server.createDatabase();
    const refuses = await start({ database: await open(url), rpcUrl: rpc.url });
    let stalledMs = 0;
    const stalled = await start({
      database: await open(url),
      clock: { ...systemClock, elapsed: () => systemClock.elapsed() + stalledMs },
    });
    rpc.fault((method) =>
      method === 'simulateTransaction' ? { error: { code: -32_602, message: 'no' } } : undefined,
    );
    const balance = await received();
    const request = await freshPayment(local, payer, seller);
    assert.equal((await settle(refuses, request)).body.extra?.moneyMoved, 'not_yet');
    await later(url, 1_500);
    // As if its process had been stopped before the request arrived.
    stalledMs = 3_000;
    assert.equal((await settle(stalled, request)).body.extra?.moneyMoved, 'not_yet');
    assert.equal(await received(), balance);
    // Until what it reads can no longer be as old as the stall.
    await pause(1_100);
    assert.equal((await settle(stalled, request)).body.success, true);
  });

  it('a refusal that was passed on applies to a third request in flight', async () => {
    const url = await server.createDatabase();
    const claims = [gate(), gate()];
    const claiming = [gate(), gate()];
    const refuses = await start({ database: await open(url), rpcUrl: rpc.url });
    const [second, third] = await Promise.all(
      claims.map(async ({ opened }, i) =>
        start({
          database: lateClaims(await open(url), opened, () => claiming[i]?.open()),
        }),
      ),
    );
    assert.ok(second !== undefined && third !== undefined);
    rpc.fault((method) =>
      method === 'simulateTransaction' ? { error: { code: -32_602, message: 'no' } } : undefined,
    );
    const balance = await received();
    const request = await freshPayment(local, payer, seller);
    const toSecond = settle(second, request);
    await claiming[0]?.opened;
    assert.equal((await settle(refuses, request)).body.extra?.moneyMoved, 'not_yet');
    // It comes after the first refusal, and before the second one is sent.
    const toThird = settle(third, request);
    await claiming[1]?.opened;
    claims[0]?.open();
    assert.equal((await toSecond).body.extra?.moneyMoved, 'not_yet');
    claims[1]?.open();
    assert.equal((await toThird).body.success, false);
    assert.equal(await received(), balance);
  });

  it('one instance reports the success to one caller while it asks for refusals', async () => {
    const url = await server.createDatabase();
    const slow = (sql: string) => (sql.includes('FROM refusals') ? pause(100) : undefined);
    const one = await start({ database: delayed(await open(url), slow) });
    const request = await freshPayment(local, payer, seller);
    const answers = await Promise.all(Array.from({ length: 10 }, () => settle(one, request)));
    assert.equal(answers.filter(({ body }) => body.success === true).length, 1);
    for (const { body } of answers) {
      if (body.success !== true) assert.equal(body.extra?.moneyMoved, 'yes');
    }
  });
});
