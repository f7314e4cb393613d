import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import type { SettlementHash } from '../../src/protocol/index.ts';
import type { FacilitatorRequest } from '../../src/protocol/wire/index.ts';
import {
  type FacilitatorOptions,
  type RunningFacilitator,
  startFacilitator,
  systemClock,
} from '../../src/server/index.ts';
import { type Database, openStore, StoreError } from '../../src/server/store/index.ts';
import { balancesOf, openPayer, openSeller } from '../support/accounts.ts';
import { type FaultyRpc, startFaultyRpc } from '../support/faultyRpc.ts';
import { freshPayment } from '../support/freshPayment.ts';
import { lastLedgerOf } from '../support/lastLedger.ts';
import { facilitatorOptions, type LocalNetwork, startLocalNetwork } from '../support/localStack.ts';
import { declared, identified } from '../support/namedSale.ts';
import type { TestKey } from '../support/payer.ts';
import { type Posted, post } from '../support/post.ts';

const REPLAYED = 'authorization_replayed';
const AMOUNT = 100_000n;

/** Waits as the service does, but six seconds pass at once. */
const hurried = {
  ...systemClock,
  sleep: (milliseconds: number) => systemClock.sleep(milliseconds >= 500 ? 1 : milliseconds),
};

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Checks that an answer says that nothing was paid so far, and until when the authorization of the request can pay. */
function canStillPay({ extra }: Posted['body'], request: FacilitatorRequest): void {
  assert.equal(extra?.moneyMoved, 'not_yet');
  assert.equal(extra?.payableUntil, lastLedgerOf(request));
}

/** A store that refuses the statements that `refuses` names, as a full disk does. */
function spoiltStore(database: Database, refuses: (sql: string) => boolean): Database {
  return {
    dialect: database.dialect,
    all: (sql, params) => database.all(sql, params),
    run: async (sql, params) => {
      if (refuses(sql)) throw new StoreError('full', 'the disk is full');
      return database.run(sql, params);
    },
    transaction: (work) => database.transaction(work),
    get frozen() {
      return database.frozen;
    },
    close: () => database.close(),
  };
}

/** A store that cannot be read either. */
function brokenStore(database: Database, broken: () => boolean): Database {
  const spoilt = spoiltStore(database, broken);
  return {
    ...spoilt,
    all: async (sql, params) => {
      if (broken()) throw new StoreError('failed', 'the disk is gone');
      return database.all(sql, params);
    },
    get frozen() {
      return database.frozen;
    },
  };
}

describe('No answer is wrong about money', () => {
  let local: LocalNetwork;
  let rpc: FaultyRpc;
  let payer: TestKey;
  let seller: TestKey;
  const running: RunningFacilitator[] = [];

  before(async () => {
    local = await startLocalNetwork();
    rpc = await startFaultyRpc(local.rpcUrl);
    payer = await openPayer(local);
    seller = await openSeller(local);
  });
  after(async () => {
    await rpc.close();
    await local.close();
  });
  afterEach(async () => {
    rpc.heal();
    for (const one of running.splice(0)) await one.close();
  });

  /** Starts a facilitator that has warmed up, so that a fault in a simulation meets a payment. */
  async function start(options: Partial<FacilitatorOptions> = {}): Promise<RunningFacilitator> {
    let simulated = false;
    rpc.fault((method) => {
      if (method !== 'simulateTransaction') return undefined;
      return (result) => {
        simulated = true;
        return result;
      };
    });
    const one = await startFacilitator({
      ...facilitatorOptions(local),
      rpcUrl: rpc.url,
      rateLimitPerMinute: 0,
      confirmationMs: 3_000,
      clock: hurried,
      ...options,
    });
    running.push(one);
    while (!simulated) await pause(5);
    rpc.heal();
    return one;
  }
  const fresh = () => freshPayment(local, payer, seller);
  const received = async () => (await balancesOf(local, seller.address)).usdc;
  const settle = (one: RunningFacilitator, request: FacilitatorRequest): Promise<Posted> =>
    post(one.url, '/settle', request);

  /** Sends `/settle` and cuts the connection right after, or once `until` comes. */
  function abortedSettle(
    one: RunningFacilitator,
    request: FacilitatorRequest,
    until = Promise.resolve() as Promise<unknown>,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json' };
      const sent = http.request(`${one.url}/settle`, { method: 'POST', headers });
      sent.on('error', () => undefined);
      sent.on('close', () => resolve());
      sent.on('response', ({ statusCode }) => reject(new Error(`answered ${statusCode}`)));
      sent.end(JSON.stringify(request), () => {
        void until.then(() => pause(5)).then(() => sent.destroy());
      });
    });
  }

  /** Of a seller that declares that it recognizes the sale. */
  const withIdentifier = (request: FacilitatorRequest, id: string): FacilitatorRequest =>
    declared(identified(request, id));

  describe('M1: a client that disconnects before it has its answer', () => {
    it('the identical /settle returns the success, with the hash', async () => {
      const one = await start();
      const before = await received();
      const request = await fresh();
      let release = (): void => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      let asked = (): void => {};
      const sending = new Promise<void>((resolve) => {
        asked = resolve;
      });
      rpc.hold((method) => {
        if (method !== 'sendTransaction') return undefined;
        asked();
        return held;
      });
      await abortedSettle(one, request, sending);
      rpc.hold(() => undefined);
      release();
      const { body } = await settle(one, request);
      assert.equal(body.success, true);
      assert.match(body.transaction ?? '', /^[0-9a-f]{64}$/);
      assert.equal((await received()) - before, AMOUNT);
    });

    it('disconnected when the answer was computed but not written: the same, and /verify lets it through', async () => {
      const one = await start();
      const request = await fresh();
      let release = (): void => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      let asked = (): void => {};
      const looking = new Promise<void>((resolve) => {
        asked = resolve;
      });
      rpc.hold((method) => {
        if (method !== 'getTransaction') return undefined;
        asked();
        return held;
      });
      await abortedSettle(one, request, looking);
      rpc.hold(() => undefined);
      release();
      const verified = await post(one.url, '/verify', request);
      assert.equal(verified.body.isValid, true);
      const { body } = await settle(one, request);
      assert.equal(body.success, true);
    });

    it('after delivery the identical request is refused as a replay, with hash and moneyMoved yes', async () => {
      const one = await start();
      const request = await fresh();
      const first = await settle(one, request);
      assert.equal(first.body.success, true);
      const again = await settle(one, request);
      assert.equal(again.body.success, false);
      assert.equal(again.body.reason, REPLAYED);
      assert.equal(again.body.transaction, first.body.transaction);
      assert.equal(again.body.extra?.moneyMoved, 'yes');
      assert.doesNotMatch(again.body.errorMessage ?? '', /Sign a new authorization\.$/);
      const verified = await post(one.url, '/verify', request);
      assert.equal(verified.body.isValid, false);
      assert.equal(verified.body.reason, REPLAYED);
      assert.equal(verified.body.extra?.moneyMoved, 'yes');
    });

    it('ten identical requests at once: one success, and nine that name its hash', async () => {
      const one = await start();
      const before = await received();
      const request = await fresh();
      const answers = await Promise.all(Array.from({ length: 10 }, () => settle(one, request)));
      const [told, ...more] = answers.filter(({ body }) => body.success === true);
      assert.ok(told);
      assert.equal(more.length, 0);
      for (const { body } of answers) {
        assert.equal(body.transaction, told.body.transaction);
        if (body.success !== true) assert.equal(body.extra?.moneyMoved, 'yes');
      }
      assert.equal((await received()) - before, AMOUNT);
    });
  });

  it('M3: nothing is sent after an answer said that nothing was, when the disk fills in between', async () => {
    let full = false;
    const store = await openStore({ databaseUrl: null, dataFolder: null });
    const one = await start({
      database: spoiltStore(
        store,
        (sql) => full && /never_sent|^DELETE FROM settlements/.test(sql),
      ),
      answerWithinMs: 300,
      instanceTtlMs: 400,
      clock: systemClock,
    });
    const before = await received();
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    rpc.hold((method) => (method === 'simulateTransaction' ? held : undefined));
    const { body } = await settle(one, await fresh());
    assert.equal(body.reason, 'ledger_too_slow');
    // Its settlement has not ended yet, and the ledger does not answer.
    assert.equal(body.extra?.moneyMoved, 'unknown');
    // M8: whose payment it was.
    assert.equal(body.payer, payer.address);
    full = true;
    release();
    rpc.hold(() => undefined);
    await pause(600);
    full = false;
    await pause(1_200);
    assert.equal(await received(), before);
  });

  describe('M5: a refusal of sendTransaction after the envelope was submitted', () => {
    const refusals = {
      'TRY_AGAIN_LATER twice': () => ({
        status: 'TRY_AGAIN_LATER',
        hash: '0'.repeat(64),
        latestLedger: 1,
      }),
      'ERROR txINSUFFICIENT_FEE': () => ({
        status: 'ERROR',
        hash: '0'.repeat(64),
        latestLedger: 1,
        errorResultXdr: Buffer.from('0000000000000000fffffff700000000', 'hex').toString('base64'),
      }),
    };
    for (const [name, refusal] of Object.entries(refusals)) {
      it(`${name}, though it was accepted: the truth, never "nothing was submitted"`, async () => {
        const one = await start();
        const before = await received();
        const request = await fresh();
        rpc.fault((method) => (method === 'sendTransaction' ? refusal : undefined));
        const { body } = await settle(one, request);
        assert.equal((await received()) - before, AMOUNT);
        assert.equal(body.success, true);
        assert.match(body.transaction ?? '', /^[0-9a-f]{64}$/);
      });
    }

    it('never accepted: fenced off before it is reported as never submitted', async () => {
      const one = await start();
      const before = await received();
      const request = await fresh();
      let sends = 0;
      rpc.fault((method) =>
        method === 'sendTransaction' && ++sends <= 2
          ? { error: { code: -32_602, message: 'bad params' } }
          : undefined,
      );
      const { body } = await settle(one, request);
      assert.equal(body.success, false);
      assert.equal(body.transaction, '');
      canStillPay(body, request);
      assert.ok(sends >= 2, 'a fence was sent');
      assert.equal(await received(), before);
      assert.equal((await settle(one, request)).body.success, true);
    });
  });

  it('a settlement that ended while unfinished ones were listed is not sent again', async () => {
    const store = await openStore({ databaseUrl: null, dataFolder: null });
    let open = (): void => {};
    const held = new Promise<void>((resolve) => {
      open = resolve;
    });
    let listed = 0;
    let submitting = false;
    const database: Database = {
      ...spoiltStore(store, () => false),
      all: async (sql, params) => {
        const rows = await store.all(sql, params);
        if (submitting && sql.startsWith('SELECT * FROM settlements WHERE instance')) {
          listed += rows.length;
          await held;
        }
        return rows as never;
      },
      get frozen() {
        return store.frozen;
      },
    };
    const one = await start({ database, instanceTtlMs: 400, clock: systemClock });
    const before = await received();
    let sends = 0;
    rpc.hold((method) => {
      if (method !== 'sendTransaction' || ++sends > 1) return undefined;
      // Long enough for a look at what is unfinished.
      submitting = true;
      return pause(500).then(() => undefined);
    });
    rpc.fault((method) =>
      method === 'sendTransaction' && sends <= 2
        ? { error: { code: -32_602, message: 'bad params' } }
        : undefined,
    );
    const request = await fresh();
    const { body } = await settle(one, request);
    canStillPay(body, request);
    assert.ok(listed > 0, 'it was listed while it was being submitted');
    const sent = sends;
    open();
    await pause(800);
    assert.equal(sends, sent, 'it was sent again');
    assert.equal(await received(), before);
  });

  describe('M4: a history that does not reach back to the submission proves nothing', () => {
    const forgetful = () => ({
      status: 'NOT_FOUND',
      latestLedger: 4_000_000,
      oldestLedger: 3_900_000,
    });

    it('without other evidence the answer does not say whether money moved', async () => {
      const one = await start({ confirmationMs: 1_500 });
      const request = await fresh();
      const before = await received();
      rpc.fault((method) => {
        if (method === 'getEvents') return { error: { code: -32_600, message: 'out of range' } };
        return method === 'getTransaction' ? forgetful : undefined;
      });
      const { body } = await settle(one, request);
      assert.equal((await received()) - before, AMOUNT);
      assert.equal(body.errorReason, 'settlement_pending');
      assert.match(body.transaction ?? '', /^[0-9a-f]{64}$/);
      assert.equal(body.extra?.moneyMoved, 'unknown');
      while ((await settle(one, request)).body.errorReason !== 'settlement_pending')
        await pause(50);
      const status = await (await fetch(`${one.url}/settlements/${body.transaction}`)).json();
      assert.notEqual((status as { state: string }).state, 'failed');
    });

    it('the transfer event is evidence: the payment is reported as settled, with its hash', async () => {
      const one = await start();
      const request = await fresh();
      const before = await received();
      rpc.fault((method) => (method === 'getTransaction' ? forgetful : undefined));
      const { body } = await settle(one, request);
      assert.equal((await received()) - before, AMOUNT);
      assert.equal(body.success, true);
      assert.match(body.transaction ?? '', /^[0-9a-f]{64}$/);
    });
  });

  describe('M4: a restart after an outage that was longer than the history', () => {
    /** Settles while no answer says so, stops, and starts again when the ledger has moved on. */
    async function restarted(ledgers: number, waitMs: number, horizonUrl: string | null = null) {
      const short = await startLocalNetwork({ retainedLedgers: 5, seed: `outage ${ledgers}` });
      const door = await startFaultyRpc(short.rpcUrl);
      const folder = mkdtempSync(join(tmpdir(), 'outage-'));
      const options = {
        ...facilitatorOptions(short),
        rpcUrl: door.url,
        dataFolder: folder,
        confirmationMs: 1_000,
      };
      const [buyer, shop] = [await openPayer(short), await openSeller(short)];
      const request = await freshPayment(short, buyer, shop);
      door.fault((method) => (method === 'getTransaction' ? { status: 503, text: '' } : undefined));
      const first = await startFacilitator(options);
      const before = await post(first.url, '/settle', request);
      assert.equal(before.body.errorReason, 'settlement_pending');
      await first.close();
      door.heal();
      assert.equal((await balancesOf(short, shop.address)).usdc, AMOUNT);
      await short.ledger.control('svc_advanceLedgers', { count: ledgers });

      const second = await startFacilitator({ ...options, horizonUrl });
      const { transaction: hash } = before.body;
      interface Status {
        readonly state: string;
        readonly moneyMoved: string;
      }
      let status: Status;
      const giveUp = Date.now() + waitMs;
      do {
        await pause(100);
        status = (await (await fetch(`${second.url}/settlements/${hash}`)).json()) as Status;
        assert.notEqual(status.moneyMoved, 'no');
      } while (status.state === 'settling' && Date.now() < giveUp);
      const again = await post(second.url, '/settle', request);
      await second.close();
      await door.close();
      await short.close();
      rmSync(folder, { recursive: true, force: true });
      return { hash, again: again.body, status };
    }

    it('while a ledger could still include it: no answer says that no money moved', async () => {
      const { hash, again, status } = await restarted(20, 2_000);
      assert.equal(again.errorReason, 'settlement_pending');
      assert.equal(again.transaction, hash);
      assert.deepEqual([status.state, status.moneyMoved], ['settling', 'unknown']);
    });

    it('after the last ledger, with the nonce gone: the same', async () => {
      const { hash, again, status } = await restarted(100, 60_000);
      assert.equal(again.errorReason, 'settlement_pending');
      assert.equal(again.transaction, hash);
      assert.deepEqual([status.state, status.moneyMoved], ['unproven', 'unknown']);
    });

    it('with a Horizon that remembers: settled, with its hash', async () => {
      const horizon = http.createServer((asked, answer) => {
        const hash = asked.url?.split('/').at(-1);
        answer.setHeader('content-type', 'application/json');
        answer.end(JSON.stringify({ hash, successful: true, ledger: 9, fee_charged: '100' }));
      });
      await new Promise<void>((resolve) => horizon.listen(0, '127.0.0.1', resolve));
      const { port } = horizon.address() as AddressInfo;
      try {
        const { hash, again, status } = await restarted(100, 60_000, `http://127.0.0.1:${port}`);
        assert.equal(status.state, 'settled', JSON.stringify(again));
        assert.equal(again.success, true);
        assert.equal(again.transaction, hash);
      } finally {
        horizon.close();
      }
    });
  });

  it('P5: a delivery that could not be recorded is recorded later; the answer stays a replay with its hash', async () => {
    let full = true;
    const store = await openStore({ databaseUrl: null, dataFolder: null });
    const one = await start({
      database: spoiltStore(store, (sql) => full && sql.includes("SET answer = 'given'")),
      instanceTtlMs: 400,
      clock: systemClock,
    });
    const request = await fresh();
    const first = await settle(one, request);
    assert.equal(first.body.success, true);
    await pause(50);
    const again = await settle(one, request);
    assert.equal(again.body.reason, REPLAYED);
    assert.equal(again.body.transaction, first.body.transaction);
    full = false;
    for (let look = 0; look < 100; look++) {
      const [row] = await store.all<{ answer: string }>('SELECT answer FROM settlements');
      if (row?.answer === 'given') return;
      await pause(50);
    }
    assert.fail('never recorded');
  });

  describe('The extension payment-identifier', () => {
    const id = 'sale-0123456789abcdef';

    it('is advertised', async () => {
      const one = await start();
      const supported = (await (await fetch(`${one.url}/supported`)).json()) as {
        extensions: string[];
      };
      assert.ok(supported.extensions.includes('payment-identifier'));
    });

    it('same identifier and payload: always the same answer, at /verify too', async () => {
      const one = await start();
      const before = await received();
      const request = withIdentifier(await fresh(), id);
      const first = await settle(one, request);
      assert.equal(first.body.success, true);
      for (let i = 0; i < 3; i++) {
        const again = await settle(one, request);
        assert.equal(again.body.success, true);
        assert.equal(again.body.transaction, first.body.transaction);
        assert.equal((await post(one.url, '/verify', request)).body.isValid, true);
      }
      assert.equal((await received()) - before, AMOUNT);
    });

    it('same identifier and another payload: refused, and nothing moves', async () => {
      const one = await start();
      await settle(one, withIdentifier(await fresh(), id));
      const before = await received();
      const { body } = await settle(one, withIdentifier(await fresh(), id));
      assert.equal(body.success, false);
      assert.equal(body.reason, 'payment_identifier_conflict');
      assert.equal(await received(), before);
    });

    it('/verify refuses it as /settle does, so that nothing is served for it', async () => {
      const one = await start();
      const first = withIdentifier(await fresh(), `${id}-v`);
      await settle(one, first);
      const second = withIdentifier(await fresh(), `${id}-v`);
      const { body } = await post(one.url, '/verify', second);
      assert.equal(body.isValid, false);
      assert.equal(body.reason, 'payment_identifier_conflict');
      // It pays nothing here. The payer has signed it, so that it can pay elsewhere.
      canStillPay(body, second);
      assert.equal((await post(one.url, '/verify', first)).body.isValid, true);
      assert.equal((await post(one.url, '/verify', await fresh())).body.isValid, true);
    });

    it('one that was never submitted may be paid with a fresh payment', async () => {
      const one = await start();
      rpc.fault((method) => (method === 'simulateTransaction' ? 'reset' : undefined));
      const first = await settle(one, withIdentifier(await fresh(), `${id}-2`));
      assert.equal(first.body.transaction, '');
      rpc.heal();
      const second = await settle(one, withIdentifier(await fresh(), `${id}-2`));
      assert.equal(second.body.success, true);
    });
  });

  describe('A single RPC answer that contradicts the others is not believed', () => {
    /** A fee bump's result with the inner transaction failed or succeeded: 100 stroops. */
    function resultXdr(succeeded: boolean): string {
      const bytes = Buffer.alloc(68);
      bytes.writeBigInt64BE(100n, 0);
      bytes.writeInt32BE(succeeded ? 1 : -13, 8);
      bytes.writeInt32BE(succeeded ? 0 : -1, 52);
      return bytes.toString('base64');
    }
    const claims = (succeeded: boolean) => (result: Record<string, unknown>) => ({
      ...result,
      status: succeeded ? 'SUCCESS' : 'FAILED',
      ledger: Number(result['latestLedger']) - 1,
      resultXdr: resultXdr(succeeded),
    });

    it('FAILED, for a settled payment: reported as settled', async () => {
      const one = await start({ confirmationMs: 5_000 });
      const before = await received();
      let looks = 0;
      rpc.fault((method) =>
        method === 'getTransaction' && ++looks <= 2 ? claims(false) : undefined,
      );
      const { body } = await settle(one, await fresh());
      assert.equal(body.success, true);
      assert.equal((await received()) - before, AMOUNT);
    });

    it('FAILED, each time: unknown, and correct once the server answers correctly', async () => {
      const one = await start({ confirmationMs: 1_000 });
      const request = await fresh();
      rpc.fault((method) => (method === 'getTransaction' ? claims(false) : undefined));
      const first = await settle(one, request);
      assert.equal(first.body.extra?.moneyMoved, 'unknown');
      rpc.heal();
      for (let ask = 0; ask < 40; ask++) {
        const { body } = await settle(one, request);
        if (body.success === true) return;
        assert.equal(body.extra?.moneyMoved, 'unknown');
      }
      assert.fail('never reported');
    });

    it('SUCCESS, for a transaction that the network never had: not reported as settled', async () => {
      const one = await start({ confirmationMs: 2_000 });
      const before = await received();
      let sends = 0;
      let looks = 0;
      rpc.fault((method) => {
        if (method === 'sendTransaction' && ++sends === 1) {
          return { result: { status: 'PENDING', hash: '0'.repeat(64), latestLedger: 1 } };
        }
        return method === 'getTransaction' && ++looks <= 3 ? claims(true) : undefined;
      });
      const request = await fresh();
      const first = await settle(one, request);
      if (first.body.success === true) assert.equal((await received()) - before, AMOUNT);
      else assert.equal(first.body.extra?.moneyMoved, 'unknown');
    });

    it('SUCCESS, with another ledger than the one that has it: reported with the right one', async () => {
      const one = await start({ confirmationMs: 3_000 });
      let looks = 0;
      rpc.fault((method) =>
        method === 'getTransaction'
          ? (result) =>
              result['status'] === 'SUCCESS' && ++looks <= 2 ? { ...result, ledger: 3 } : result
          : undefined,
      );
      const { body } = await settle(one, await fresh());
      assert.equal(body.success, true);
      const read = await fetch(`${one.url}/settlements/${body.transaction}`);
      const { ledger } = (await read.json()) as { ledger: number };
      const found = await local.network.lookUp(body.transaction as SettlementHash);
      assert.equal(found.status === 'SUCCESS' && found.ledger, ledger);
    });

    it('NOT_FOUND, with a far later ledger and complete history, for a settled payment: never reported as not moved', async () => {
      const one = await start({ confirmationMs: 1_000 });
      const before = await received();
      rpc.fault((method) => {
        // The transfer event, which would show that it settled, is not available either.
        if (method === 'getEvents') return { error: { code: -32_600, message: 'out of range' } };
        if (method !== 'getTransaction') return undefined;
        return () => ({ status: 'NOT_FOUND', latestLedger: 4_000_000_000, oldestLedger: 1 });
      });
      const request = await fresh();
      for (let ask = 0; ask < 6; ask++) {
        const { body } = await settle(one, request);
        assert.equal(body.extra?.moneyMoved, 'unknown');
      }
      rpc.heal();
      for (let ask = 0; ask < 40; ask++) {
        const { body } = await settle(one, request);
        if (body.success !== true) continue;
        assert.equal((await received()) - before, AMOUNT);
        return;
      }
      assert.fail('never reported');
    });
  });

  describe('Identical requests at the same time', () => {
    it('one returns that nothing was submitted: then the other does not settle it either', async () => {
      let claims = 0;
      const store = await openStore({ databaseUrl: null, dataFolder: null });
      const database = spoiltStore(store, (sql) => {
        if (sql.includes("'claimed', 'held'")) claims++;
        return false;
      });
      const one = await start({ database });
      const before = await received();
      const request = await fresh();
      let release = (): void => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      let simulations = 0;
      rpc.hold((method) => (method === 'simulateTransaction' ? held : undefined));
      rpc.fault((method) =>
        method === 'simulateTransaction' && ++simulations === 1
          ? { error: { code: -32_602, message: 'no' } }
          : undefined,
      );
      const both = [settle(one, request), settle(one, request)];
      // A busy machine may take long to let the second arrive. One that comes after the refusal may settle.
      while (claims < 2) await pause(5);
      release();
      for (const { body } of await Promise.all(both)) {
        assert.equal(body.success, false);
        canStillPay(body, request);
      }
      assert.equal(await received(), before);
      // A request after that starts a new settlement.
      assert.equal((await settle(one, request)).body.success, true);
    });
  });

  describe('An instance without its records, or without the time for one, says what it knows', () => {
    it('no record can be read or written, and the payment settled before: the ledger shows it, on each route', async () => {
      let full = false;
      const store = await openStore({ databaseUrl: null, dataFolder: null });
      const one = await start({ database: brokenStore(store, () => full) });
      const request = await fresh();
      const { body } = await settle(one, request);
      assert.equal(body.success, true);
      full = true;
      for (const path of ['/settle', '/verify'] as const) {
        const refused = await post(one.url, path, request);
        assert.equal(refused.body.reason, 'store_unavailable');
        assert.equal(refused.body.extra?.moneyMoved, 'yes', path);
        assert.equal(refused.body.extra?.transaction, body.transaction, path);
      }
      const read = await fetch(`${one.url}/settlements/${body.transaction}`);
      const { extra } = (await read.json()) as Posted['body'];
      assert.equal(extra?.moneyMoved, 'yes');
      assert.equal(extra?.transaction, body.transaction);
    });

    it('too many requests: the outcome of this one is unknown', async () => {
      const one = await start({ rateLimitPerMinute: 1, rateLimitExemptsLoopback: false });
      const request = await fresh();
      assert.equal((await settle(one, request)).body.success, true);
      for (const path of ['/settle', '/verify'] as const) {
        const refused = await post(one.url, path, request);
        assert.equal(refused.body.reason, 'rate_limited');
        assert.equal(refused.body.extra?.moneyMoved, 'unknown', path);
      }
    });

    it('a first request that the store fails: nothing moved so far, since nothing was sent', async () => {
      const store = await openStore({ databaseUrl: null, dataFolder: null });
      const refuses = (sql: string) => sql.includes("SET state = 'submitting'");
      const one = await start({ database: spoiltStore(store, refuses) });
      const request = await fresh();
      const { body } = await settle(one, request);
      assert.equal(body.reason, 'store_unavailable');
      canStillPay(body, request);
    });
  });

  describe('GET /settlements', () => {
    it('returns state, hash, ledger and amounts by the hash and by payer and nonce', async () => {
      const one = await start();
      const request = await fresh();
      const { body } = await settle(one, request);
      const response = await fetch(`${one.url}/settlements/${body.transaction}`);
      assert.equal(response.status, 200);
      const status = (await response.json()) as Record<string, unknown>;
      assert.equal(status['state'], 'settled');
      assert.equal(status['moneyMoved'], 'yes');
      assert.equal(status['transaction'], body.transaction);
      assert.equal(status['payer'], payer.address);
      assert.equal(status['payTo'], seller.address);
      assert.equal(status['amount'], `${AMOUNT}`);
      assert.ok(Number(status['ledger']) > 0);
    });

    it('an unknown hash is 404, a malformed one 400', async () => {
      const one = await start();
      assert.equal((await fetch(`${one.url}/settlements/${'a'.repeat(64)}`)).status, 404);
      assert.equal((await fetch(`${one.url}/settlements/nonsense`)).status, 400);
      assert.equal((await fetch(`${one.url}/settlements?payer=x&nonce=1`)).status, 400);
    });
  });
});
