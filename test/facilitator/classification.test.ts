import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { FacilitatorRequest } from '../../src/protocol/wire/index.ts';
import { type RunningFacilitator, startFacilitator, systemClock } from '../../src/server/index.ts';
import { balancesOf, openPayer, openSeller } from '../support/accounts.ts';
import { type Fault, type FaultyRpc, startFaultyRpc } from '../support/faultyRpc.ts';
import { freshPayment } from '../support/freshPayment.ts';
import { hurriedClock } from '../support/hurriedClock.ts';
import { facilitatorOptions, type LocalNetwork, startLocalNetwork } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { type Posted, post } from '../support/post.ts';

/** Waits as the service does, but a second and more pass at once. */
const hurried = hurriedClock();

/** What can go wrong with any call. */
const ANY_CALL: Readonly<Record<string, Fault>> = {
  'HTTP 500': { status: 500, text: 'oops' },
  'HTTP 502': { status: 502, text: '<html>' },
  'HTTP 503': { status: 503, text: '' },
  'HTTP 504': { status: 504, text: '<html>' },
  'an error: invalid params': { error: { code: -32_602, message: 'invalid params' } },
  'an error: internal': { error: { code: -32_603, message: 'internal' } },
  'an error of the server': { error: { code: -32_000, message: 'not ready' } },
  'a result of another shape': { result: { nonsense: 1 } },
  'no result': { result: null },
  'text that is no JSON': { status: 200, text: 'hello' },
  'a connection that ends before': 'reset',
  'a connection that ends after': 'lose_answer',
};

const zero = '0'.repeat(64);
const BY_METHOD: Readonly<Record<string, Readonly<Record<string, Fault>>>> = {
  getLedgerEntries: {},
  simulateTransaction: {
    'a failure': { result: { latestLedger: 5, error: 'HostError: Error(Budget, ExceededLimit)' } },
  },
  sendTransaction: {
    TRY_AGAIN_LATER: { result: { status: 'TRY_AGAIN_LATER', hash: zero, latestLedger: 5 } },
    'ERROR without a result': { result: { status: 'ERROR', hash: zero, latestLedger: 5 } },
    'ERROR txInsufficientFee': {
      result: {
        status: 'ERROR',
        hash: zero,
        latestLedger: 5,
        // A result of fee 0, code txINSUFFICIENT_FEE (-9).
        errorResultXdr: 'AAAAAAAAAAD////3AAAAAA==',
      },
    },
    'PENDING although it was not taken': {
      result: { status: 'PENDING', hash: zero, latestLedger: 5 },
    },
  },
  getTransaction: {
    'NOT_FOUND for ever': () => ({ status: 'NOT_FOUND', latestLedger: 5 }),
    'FAILED, without a result': (result) => ({
      status: 'FAILED',
      latestLedger: result['latestLedger'],
    }),
  },
};

/** How often in a row: once, as a hiccup, or again and again, as an outage. */
const TIMES = { once: 1, always: Number.POSITIVE_INFINITY } as const;

describe('[spec: Settlement outcomes/Classification] Whatever goes wrong, `transaction` is correct', () => {
  let local: LocalNetwork;
  let rpc: FaultyRpc;
  let facilitator: RunningFacilitator;
  let payer: TestKey;
  let seller: TestKey;

  before(async () => {
    local = await startLocalNetwork();
    rpc = await startFaultyRpc(local.rpcUrl);
    facilitator = await startFacilitator({
      ...facilitatorOptions(local),
      rpcUrl: rpc.url,
      clock: hurried,
      confirmationMs: 120,
    });
    payer = await openPayer(local, 1_000_000_000n);
    seller = await openSeller(local);
  });
  after(async () => {
    await facilitator.close();
    await rpc.close();
    await local.close();
  });
  afterEach(() => rpc.heal());

  const received = async () => (await balancesOf(local, seller.address)).usdc;

  /** Asks for an outcome as a seller does: again while it is pending. */
  async function untilDecided(request: FacilitatorRequest): Promise<Posted> {
    for (let asked = 1; ; asked++) {
      const answer = await post(facilitator.url, '/settle', request);
      if (answer.body.errorReason !== 'settlement_pending' || asked === 50) return answer;
    }
  }

  /** The row of the specification's table that an answer belongs to. */
  function rowOf({
    status,
    body,
    headers,
  }: Posted): 'settled' | 'before' | 'submitted' | 'replayed' | 'void' {
    assert.equal(headers.get('extension-responses') !== null, body.success === true);
    assert.equal(typeof body.transaction, 'string');
    assert.equal(body.network, 'stellar:testnet');
    if (body.success === true) {
      assert.equal(status, 200);
      assert.match(body.transaction ?? '', /^[0-9a-f]{64}$/);
      assert.equal(body.errorReason, null);
      return 'settled';
    }
    assert.equal(body.success, false);
    assert.ok(body.errorReason);
    if (body.reason === 'authorization_replayed') {
      // A second presentation, which reports the outcome of the first.
      if (body.extra?.moneyMoved === 'yes') assert.match(body.transaction ?? '', /^[0-9a-f]{64}$/);
      return 'replayed';
    }
    if (body.transaction === '' && body.reason === 'signature_expired') {
      // A transaction was dropped, and its authorization has expired since. The hurried clock leaves a few milliseconds to read the
      // ledgers that prove it; without them the fate is unknown.
      assert.match(body.extra?.moneyMoved ?? '', /^(no|unknown)$/);
      return 'void';
    }
    if (body.transaction === '') {
      // Nothing was submitted, and the authorization can still pay: no statement of this row is more than that.
      assert.equal(body.extra?.moneyMoved, 'not_yet', JSON.stringify(body));
      assert.ok(Number(body.extra?.payableUntil) > 0);
      return 'before';
    }
    assert.match(body.transaction ?? '', /^[0-9a-f]{64}$/);
    assert.match(
      body.errorReason ?? '',
      /^(settlement_pending|settle_exact_stellar_transaction_failed)$/,
    );
    return 'submitted';
  }

  for (const [method, own] of Object.entries(BY_METHOD)) {
    for (const [what, fault] of Object.entries({ ...ANY_CALL, ...own })) {
      for (const [often, times] of Object.entries(TIMES)) {
        it(`${method}: ${what}, ${often}`, async () => {
          const request = await freshPayment(local, payer, seller);
          const before = await received();
          let left: number = times;
          rpc.fault((call) => (call === method && left-- > 0 ? fault : undefined));
          const answer = await post(facilitator.url, '/settle', request);
          const row = rowOf(answer);
          rpc.heal();

          if (row === 'settled') {
            assert.equal((await received()) - before, 100_000n);
          } else if (row === 'before') {
            // Nothing was spent so far: the same payload can be presented again, until its last ledger.
            assert.equal(await received(), before);
            const again = await untilDecided(request);
            assert.equal(again.body.success, true, JSON.stringify(again.body));
            assert.equal((await received()) - before, 100_000n);
          } else if (answer.body.errorReason === 'settlement_pending') {
            // The identical request gets the outcome, under the same hash, and pays nothing more.
            await local.ledger.control('svc_advanceLedgers', { count: 70 });
            const final = await untilDecided(request);
            assert.equal(final.body.transaction, answer.body.transaction);
            const paid = (await received()) - before;
            assert.equal(paid, rowOf(final) === 'settled' ? 100_000n : 0n);
          }
          const replayed = await post(facilitator.url, '/settle', request);
          assert.notEqual(rowOf(replayed), 'settled');
          assert.ok((await received()) - before <= 100_000n);
        });
      }
    }
  }

  it('afterwards every channel is free and nothing is reserved', async () => {
    const rested = async () => {
      const health = (await (await fetch(`${facilitator.url}/health`)).json()) as {
        channels: { free: number };
        sponsor: { reserved: string };
      };
      return health.channels.free === 50 && health.sponsor.reserved === '0';
    };
    for (let i = 0; i < 100 && !(await rested()); i++) await systemClock.sleep(20);
    assert.ok(await rested());
  });
});

describe('[spec: Settlement outcomes/Classification] A server that limits calls (HTTP 429) changes nothing about the money', () => {
  let local: LocalNetwork;
  let rpc: FaultyRpc;
  let payer: TestKey;
  let seller: TestKey;

  before(async () => {
    local = await startLocalNetwork();
    rpc = await startFaultyRpc(local.rpcUrl);
    payer = await openPayer(local, 1_000_000_000n);
    seller = await openSeller(local);
  });
  after(async () => {
    await rpc.close();
    await local.close();
  });

  const received = async () => (await balancesOf(local, seller.address)).usdc;

  for (const method of Object.keys(BY_METHOD)) {
    for (const [often, times] of Object.entries(TIMES)) {
      it(`${method}, ${often}`, async () => {
        // The calls stay limited for a while after a 429, so each case has a facilitator of its own.
        const facilitator = await startFacilitator({
          ...facilitatorOptions(local),
          rpcUrl: rpc.url,
          clock: hurried,
          confirmationMs: 120,
        });
        try {
          const request = await freshPayment(local, payer, seller);
          const before = await received();
          let left: number = times;
          const limited: Fault = { status: 429, text: 'slow down' };
          rpc.fault((call) => (call === method && left-- > 0 ? limited : undefined));
          let answer = await post(facilitator.url, '/settle', request);
          rpc.heal();
          for (let asked = 0; answer.body.success !== true && asked < 60; asked++) {
            assert.match(answer.body.extra?.moneyMoved ?? '', /^(not_yet|unknown)$/);
            await pause(500);
            answer = await post(facilitator.url, '/settle', request);
          }
          assert.equal(answer.body.success, true, JSON.stringify(answer.body));
          assert.equal((await received()) - before, 100_000n);
        } finally {
          rpc.heal();
          await facilitator.close();
        }
      });
    }
  }
});
