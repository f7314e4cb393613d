import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { FacilitatorRequest } from '../../src/protocol/wire/index.ts';
import { type RunningFacilitator, startFacilitator, systemClock } from '../../src/server/index.ts';
import { balancesOf, openPayer, openSeller } from '../support/accounts.ts';
import { type FaultyRpc, startFaultyRpc } from '../support/faultyRpc.ts';
import { freshPayment } from '../support/freshPayment.ts';
import { hurriedClock } from '../support/hurriedClock.ts';
import { facilitatorOptions, type LocalNetwork, startLocalNetwork } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { type Posted, post } from '../support/post.ts';

const SUBMISSION_FAILED = 'settle_exact_stellar_transaction_submission_failed';

const hurried = hurriedClock();
const slept = hurried.hurried;

describe('[spec: Limits/Transient-failure retry] [spec: POST /verify and POST /settle/Transient retry] 2 attempts, 6 seconds apart', () => {
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
      confirmationMs: 2_000,
    });
    payer = await openPayer(local);
    seller = await openSeller(local);
  });
  after(async () => {
    await facilitator.close();
    await rpc.close();
    await local.close();
  });
  afterEach(async () => {
    rpc.heal();
    await local.ledger.control('svc_clearFaults');
    slept.length = 0;
  });

  const fresh = () => freshPayment(local, payer, seller);
  const verify = (request: FacilitatorRequest) => post(facilitator.url, '/verify', request);
  const settle = (request: FacilitatorRequest) => post(facilitator.url, '/settle', request);
  const received = async () => (await balancesOf(local, seller.address)).usdc;
  const callsOf = (method: string) => rpc.calls.filter((call) => call === method).length;
  type Fault = Parameters<LocalNetwork['ledger']['control']>[1];
  const inject = (fault: object) =>
    local.ledger.control('svc_injectFault', fault as Extract<Fault, { kind: string }>);

  async function atRest(): Promise<void> {
    const answer = await fetch(`${facilitator.url}/health`);
    const { channels, sponsor } = (await answer.json()) as {
      channels: { free: number };
      sponsor: { reserved: string };
    };
    assert.deepEqual([channels.free, sponsor.reserved], [50, '0']);
  }

  describe('A read (simulation, ledger entries) with a temporary failure', () => {
    // A kept connection that ends may have ended before it was used: that is asked again at once, on a
    // new one, within the same attempt.
    const kinds = [
      ['HTTP 503 of the network', { kind: 'error5xx' }, 1],
      ['a connection that ends without an answer', { kind: 'timeout', milliseconds: 10 }, 2],
      ['an answer that is lost on its way', { kind: 'lost', milliseconds: 10 }, 2],
    ] as const;
    for (const [what, fault, times] of kinds) {
      it(`${what}: the second attempt of /verify answers`, async () => {
        await inject({ method: 'simulateTransaction', ...fault, times });
        const { body } = await verify(await fresh());
        assert.equal(body.isValid, true);
        assert.deepEqual(slept, [6_000]);
      });

      it(`${what}: the second attempt of /settle settles`, async () => {
        await inject({ method: 'simulateTransaction', ...fault, times });
        const before = await received();
        const { body } = await settle(await fresh());
        assert.equal(body.success, true);
        assert.deepEqual(slept, [6_000]);
        assert.equal((await received()) - before, 100_000n);
        await atRest();
      });

      it(`${what}, twice: refused, nothing submitted, and the payment can be retried`, async () => {
        const request = await fresh();
        // As many as two attempts can ask, each of which may begin on a kept connection.
        const failing = { method: 'simulateTransaction', ...fault, times: 2 * times };
        await inject(failing);
        const verified = await verify(request);
        assert.equal(verified.status, 503);
        assert.equal(verified.body.isValid, false);
        assert.equal(verified.body.reason, 'ledger_unavailable');
        await local.ledger.control('svc_clearFaults');
        await inject(failing);
        const settled = await settle(request);
        await local.ledger.control('svc_clearFaults');
        assert.equal(settled.body.transaction, '');
        assert.equal(settled.body.errorReason, SUBMISSION_FAILED);
        assert.equal(slept.length, 2);
        await atRest();
        assert.equal((await settle(request)).body.success, true);
      });
    }

    it('a final answer is not requested again', async () => {
      for (const fault of [
        { error: { code: -32_602, message: 'invalid params' } },
        { result: { nonsense: true } },
        { status: 200, text: '<html>' },
      ]) {
        rpc.fault((method) => (method === 'simulateTransaction' ? fault : undefined));
        const before = callsOf('simulateTransaction');
        const { status, body } = await verify(await fresh());
        assert.equal(status, 503);
        assert.equal(body.isValid, false);
        assert.equal(callsOf('simulateTransaction') - before, 1);
        assert.deepEqual(slept, []);
      }
    });
  });

  describe('A submission', () => {
    it('TRY_AGAIN_LATER once: the second attempt settles, under the same hash', async () => {
      await inject({ method: 'sendTransaction', kind: 'tryAgainLater', times: 1 });
      const { body } = await settle(await fresh());
      assert.equal(body.success, true);
      assert.deepEqual(slept, [6_000]);
      await atRest();
    });

    it('TRY_AGAIN_LATER twice: never submitted, transaction EMPTY, its status reported', async () => {
      await inject({ method: 'sendTransaction', kind: 'tryAgainLater', times: 2 });
      const before = await received();
      const request = await fresh();
      const { body } = await settle(request);
      assert.equal(body.transaction, '');
      assert.equal(body.errorReason, SUBMISSION_FAILED);
      assert.equal(body.amount, '0');
      assert.match(body.errorMessage ?? '', /TRY_AGAIN_LATER/);
      assert.equal(await received(), before);
      await atRest();
      assert.equal((await settle(request)).body.success, true);
    });

    it('whose answer is lost is never sent under another hash: it is looked up', async () => {
      await inject({ method: 'sendTransaction', kind: 'lost', milliseconds: 10, times: 1 });
      const before = await received();
      const { body } = await settle(await fresh());
      assert.equal(body.success, true);
      assert.equal((await received()) - before, 100_000n);
      await atRest();
    });

    it('that a server refused as invalid is not sent again, and its result code is reported', async () => {
      // The one attempt is refused; the fence that proves that it was not taken gets through.
      let sends = 0;
      rpc.fault((method) =>
        method === 'sendTransaction' && ++sends === 1
          ? { error: { code: -32_602, message: 'could not decode' } }
          : undefined,
      );
      const before = callsOf('sendTransaction');
      const { body } = await settle(await fresh());
      assert.equal(callsOf('sendTransaction') - before, 2);
      assert.equal(body.transaction, '');
      assert.match(body.errorMessage ?? '', /-32602/);
      await atRest();
    });

    it('that a ledger refuses is not sent again: RPC status and result code are reported', async () => {
      // The one attempt is refused; the fence that proves that it was not taken gets through.
      let sends = 0;
      rpc.fault((method) =>
        method === 'sendTransaction' && ++sends === 1
          ? {
              result: {
                status: 'ERROR',
                hash: '0'.repeat(64),
                latestLedger: 5,
                // Fee 0, txINSUFFICIENT_FEE (-9).
                errorResultXdr: 'AAAAAAAAAAD////3AAAAAA==',
              },
            }
          : undefined,
      );
      const before = callsOf('sendTransaction');
      const { body } = await settle(await fresh());
      assert.equal(callsOf('sendTransaction') - before, 2);
      assert.equal(body.transaction, '');
      assert.match(body.errorMessage ?? '', /ERROR txInsufficientFee/);
      await atRest();
    });

    it('that the ledger does not know for a while is looked up until it does', async () => {
      await inject({ method: 'getTransaction', kind: 'lag', times: 4 });
      const { body } = await settle(await fresh());
      assert.equal(body.success, true);
      await atRest();
    });
  });

  describe('[spec: POST /verify and POST /settle/Skew guard] The guard: one retry for a failure that ledger skew explains', () => {
    /** Lets the next simulations be answered as by a server that is some ledgers behind. */
    function behind(times: number, change: (result: Record<string, unknown>) => object) {
      let left = times;
      rpc.fault((method) => {
        if (method !== 'simulateTransaction' || left === 0) return undefined;
        left -= 1;
        return (result) => {
          const latestLedger = Number(result['latestLedger']) - 3;
          return { ...result, latestLedger, ...change(result) };
        };
      });
    }
    const fails = () => ({ error: 'HostError: Error(Storage, MissingValue)' });
    /** The newest ledger has been seen, so that an older answer is known to be one. */
    const sawNewest = async () => verify(await fresh());

    it('on /verify: a server behind the others fails, the next look does not', async () => {
      await sawNewest();
      behind(1, fails);
      assert.equal((await verify(await fresh())).body.isValid, true);
      assert.deepEqual(slept, [1_000]);
    });

    it('on /settle as well, and it settles once', async () => {
      await sawNewest();
      behind(1, fails);
      const before = await received();
      assert.equal((await settle(await fresh())).body.success, true);
      assert.deepEqual(slept, [1_000]);
      assert.equal((await received()) - before, 100_000n);
      await atRest();
    });

    it('is one retry: after that, a server that stays behind is believed', async () => {
      await sawNewest();
      behind(2, fails);
      const before = callsOf('simulateTransaction');
      assert.equal((await verify(await fresh())).body.isValid, false);
      assert.equal(callsOf('simulateTransaction') - before, 2);
    });

    it('an expiration a few ledgers too far, as a buyer ahead of us signs it', async () => {
      const latest = await local.network.getLatestLedger();
      // Allowed are 60 ledgers and the tolerance of 6.
      const request = await freshPayment(local, payer, seller, {
        entry: { expirationLedger: latest + 68 },
      });
      const asked = verify(request);
      // Two ledgers close before the second look.
      const looked = new Promise<void>((resolve) => {
        rpc.fault((method) => {
          if (method === 'simulateTransaction') {
            local.ledger.closeLedger();
            resolve();
          }
          return undefined;
        });
      });
      await looked;
      local.ledger.closeLedger();
      assert.equal((await asked).body.isValid, true);
    });

    it('is not used for a failure at the newest ledger, nor for an expiration far away', async () => {
      await sawNewest();
      const poor = await freshPayment(local, await openSeller(local), seller);
      const far = await freshPayment(local, payer, seller, {
        entry: { expirationLedger: (await local.network.getLatestLedger()) + 2_000 },
      });
      for (const request of [poor, far]) {
        const before = callsOf('simulateTransaction');
        assert.equal((await verify(request)).body.isValid, false);
        assert.equal(callsOf('simulateTransaction') - before, 1);
      }
      assert.deepEqual(slept, []);
    });
  });
});

describe('The time budget: a seller gives up after 30 seconds, the answer comes before', () => {
  let local: LocalNetwork;
  let rpc: FaultyRpc;
  let facilitator: RunningFacilitator;
  let payer: TestKey;
  let seller: TestKey;
  /** The budget of these tests; the default is 25 seconds. */
  const BUDGET_MS = 600;
  /** Less than the six seconds that one call to the RPC server may take, which is how long an answer without a budget takes. */
  const ANSWERS_WITHIN_MS = 5_500;

  before(async () => {
    local = await startLocalNetwork();
    rpc = await startFaultyRpc(local.rpcUrl);
    facilitator = await startFacilitator({
      ...facilitatorOptions(local),
      rpcUrl: rpc.url,
      answerWithinMs: BUDGET_MS,
    });
    payer = await openPayer(local);
    seller = await openSeller(local);
  });
  after(async () => {
    rpc.heal();
    await rpc.close();
    await facilitator.close();
    await local.close();
  });
  afterEach(() => rpc.heal());

  async function timed(path: string, request: FacilitatorRequest): Promise<Posted> {
    const startedAt = performance.now();
    const answer = await post(facilitator.url, path, request);
    const took = performance.now() - startedAt;
    assert.ok(took < ANSWERS_WITHIN_MS, `${took} ms`);
    return answer;
  }

  it('is 25 seconds by default, below the 30 of older clients', async () => {
    const { CONFIG_DEFAULTS } = await import('../../src/server/config.ts');
    assert.equal(CONFIG_DEFAULTS.answerWithinMs, 25_000);
  });

  it('/verify: a ledger that hangs is reported as unavailable', async () => {
    rpc.fault((method) => (method === 'simulateTransaction' ? 'hang' : undefined));
    const { status, body } = await timed('/verify', await freshPayment(local, payer, seller));
    assert.equal(status, 503);
    assert.equal(body.isValid, false);
    assert.equal(body.reason, 'ledger_unavailable');
  });

  it('/settle, nothing sent yet: refused as never submitted, and nothing is sent afterwards', async () => {
    const before = (await balancesOf(local, seller.address)).usdc;
    let release: (() => void) | undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    rpc.hold((method) => (method === 'simulateTransaction' ? held : undefined));
    const sends = rpc.calls.filter((call) => call === 'sendTransaction').length;
    const { body } = await timed('/settle', await freshPayment(local, payer, seller));
    assert.equal(body.success, false);
    assert.equal(body.transaction, '');
    assert.equal(body.reason, 'ledger_too_slow');
    assert.equal(body.errorReason, SUBMISSION_FAILED);
    rpc.hold(() => undefined);
    release?.();
    const rested = async () => {
      const health = await (await fetch(`${facilitator.url}/health`)).json();
      return (health as { channels: { free: number } }).channels.free === 50;
    };
    for (let i = 0; i < 100 && !(await rested()); i++) await systemClock.sleep(20);
    assert.ok(await rested());
    assert.equal(rpc.calls.filter((call) => call === 'sendTransaction').length, sends);
    assert.equal((await balancesOf(local, seller.address)).usdc, before);
  });

  it('/settle, sent and not decided: settlement_pending with the hash, reconciled by the identical request', async () => {
    const before = (await balancesOf(local, seller.address)).usdc;
    const request = await freshPayment(local, payer, seller);
    rpc.fault((method) =>
      method === 'getTransaction' ? () => ({ status: 'NOT_FOUND', latestLedger: 1 }) : undefined,
    );
    const first = await timed('/settle', request);
    assert.equal(first.body.errorReason, 'settlement_pending');
    assert.match(first.body.transaction ?? '', /^[0-9a-f]{64}$/);
    rpc.heal();
    const second = await timed('/settle', request);
    assert.equal(second.body.success, true);
    assert.equal(second.body.transaction, first.body.transaction);
    assert.equal((await balancesOf(local, seller.address)).usdc - before, 100_000n);
  });
});
