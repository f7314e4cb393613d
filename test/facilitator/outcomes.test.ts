import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import * as xdr from '@stellar/stellar-sdk/xdr';
import type { FacilitatorRequest } from '../../src/protocol/wire/index.ts';
import { type RunningFacilitator, startFacilitator, systemClock } from '../../src/server/index.ts';
import { openSigner } from '../../src/server/settlement/signer.ts';
import { balancesOf, openPayer, openSeller, payUsdc, submit } from '../support/accounts.ts';
import { type FaultyRpc, startFaultyRpc } from '../support/faultyRpc.ts';
import { freshPayment } from '../support/freshPayment.ts';
import { hurriedClock } from '../support/hurriedClock.ts';
import { facilitatorOptions, type LocalNetwork, startLocalNetwork } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';

interface Answer {
  readonly status: number;
  readonly extensions: string | null;
  readonly body: {
    readonly success?: boolean;
    readonly isValid?: boolean;
    readonly transaction: string;
    readonly errorReason: string | null;
    readonly errorMessage?: string;
    readonly error?: string;
    readonly reason?: string;
    readonly amount?: string;
  };
}

/** Waits as the service does, but six seconds pass at once. */
const hurried = hurriedClock(6_000);

describe('[spec: Settlement outcomes/Classification] Classified by the transaction field, never by the status', () => {
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
    });
    payer = await openPayer(local);
    seller = await openSeller(local);
  });
  after(async () => {
    await facilitator.close();
    await rpc.close();
    await local.close();
  });
  afterEach(() => rpc.heal());

  async function post(path: string, request: FacilitatorRequest): Promise<Answer> {
    const response = await fetch(facilitator.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    });
    return {
      status: response.status,
      extensions: response.headers.get('extension-responses'),
      body: (await response.json()) as Answer['body'],
    };
  }
  const settle = (request: FacilitatorRequest) => post('/settle', request);
  const fresh = () => freshPayment(local, payer, seller);
  const received = async () => (await balancesOf(local, seller.address)).usdc;

  async function health() {
    const response = await fetch(`${facilitator.url}/health`);
    return (await response.json()) as {
      channels: { free: number };
      sponsor: { balance: string; reserved: string };
    };
  }

  async function atRest(): Promise<void> {
    const { channels, sponsor } = await health();
    assert.equal(channels.free, 50);
    assert.equal(sponsor.reserved, '0');
  }

  it('[spec: Settlement outcomes/Settled] [spec: Settlement path/6] settled: transaction non-empty, and the extension-responses header is there', async () => {
    const before = await received();
    const { status, body, extensions } = await settle(await fresh());
    assert.equal(status, 200);
    assert.equal(body.success, true);
    assert.match(body.transaction, /^[0-9a-f]{64}$/);
    assert.equal(body.errorReason, null);
    assert.ok(extensions);
    assert.equal((await received()) - before, 100_000n);
    await atRest();
  });

  it('[spec: Settlement outcomes/Never submitted] [spec: Settle response/Empty transaction] [spec: Facilitator codes/submission_failed] TRY_AGAIN_LATER: transaction EMPTY, nothing spent, and the payment can be retried', async () => {
    const before = await received();
    const request = await fresh();
    // Both attempts are refused; the fence that proves it gets through.
    let sends = 0;
    rpc.fault((method) =>
      method === 'sendTransaction' && ++sends <= 2
        ? { result: { status: 'TRY_AGAIN_LATER', hash: '0'.repeat(64), latestLedger: 1 } }
        : undefined,
    );
    const { body, extensions } = await settle(request);
    assert.equal(body.success, false);
    assert.equal(body.transaction, '');
    assert.equal(body.errorReason, 'settle_exact_stellar_transaction_submission_failed');
    assert.match(body.errorMessage ?? '', /TRY_AGAIN_LATER/);
    assert.equal(extensions, null);
    assert.equal(await received(), before);
    await atRest();
    rpc.heal();
    assert.equal((await settle(request)).body.success, true);
  });

  it('[spec: Limits/Transient-failure retry] the second attempt succeeds after one TRY_AGAIN_LATER', async () => {
    let sends = 0;
    rpc.fault((method) =>
      method === 'sendTransaction' && ++sends === 1
        ? { result: { status: 'TRY_AGAIN_LATER', hash: '0'.repeat(64), latestLedger: 1 } }
        : undefined,
    );
    assert.equal((await settle(await fresh())).body.success, true);
    assert.equal(sends, 2);
  });

  it('a send whose response is lost settles, is found by its hash, and never under another', async () => {
    const before = await received();
    const hashes = new Set<unknown>();
    rpc.fault((method) => {
      if (method === 'sendTransaction') return 'lose_answer';
      return method === 'getTransaction'
        ? (result) => {
            hashes.add(result['txHash']);
            return result;
          }
        : undefined;
    });
    const { body } = await settle(await fresh());
    assert.equal(body.success, true);
    assert.deepEqual([...hashes], [body.transaction]);
    assert.equal((await received()) - before, 100_000n);
    await atRest();
  });

  it('[spec: Settlement outcomes/Failed on the ledger] submitted and failed on the ledger: transaction non-empty, and no second try', async () => {
    const poor = await openPayer(local, 100_000n);
    const request = await freshPayment(local, poor, seller);
    let spent: Promise<void> | undefined;
    // After the simulation and before the submission, the payer spends what it has elsewhere.
    rpc.hold((method) => {
      if (method !== 'sendTransaction' || spent !== undefined) return undefined;
      spent = submit(local, poor, [payUsdc(local, seller.address, 1n)]);
      return spent;
    });
    const { body, extensions } = await settle(request);
    assert.equal(body.success, false);
    assert.match(body.transaction, /^[0-9a-f]{64}$/);
    assert.equal(body.errorReason, 'settle_exact_stellar_transaction_failed');
    assert.match(body.errorMessage ?? '', /FAILED txFailed/);
    assert.equal(extensions, null);
    await atRest();
    rpc.heal();
    const again = await settle(request);
    assert.equal(again.body.errorReason, 'invalid_exact_stellar_payload_authorization_replayed');
    assert.equal(again.body.transaction, body.transaction);
  });

  describe('not decided in time', () => {
    const undecided = (method: string) => {
      if (method !== 'getTransaction') return undefined;
      hurried.skip(10_000);
      return () => ({ status: 'NOT_FOUND', latestLedger: 1 });
    };

    it('settlement_pending with the hash; the identical request gets the outcome, once', async () => {
      const before = await received();
      const request = await fresh();
      rpc.fault(undecided);
      const first = await settle(request);
      assert.equal(first.body.success, false);
      assert.equal(first.body.errorReason, 'settlement_pending');
      assert.match(first.body.transaction, /^[0-9a-f]{64}$/);
      assert.equal('amount' in first.body, false);
      assert.equal((await health()).channels.free, 49);

      const still = await settle(request);
      assert.equal(still.body.errorReason, 'settlement_pending');
      assert.equal(still.body.transaction, first.body.transaction);

      rpc.heal();
      const final = await settle(request);
      assert.equal(final.body.success, true);
      assert.equal(final.body.transaction, first.body.transaction);
      const after = await settle(request);
      assert.equal(after.body.errorReason, 'invalid_exact_stellar_payload_authorization_replayed');
      assert.equal((await received()) - before, 100_000n);
      await atRest();
    });

    it('another request with the same authorization does not get it', async () => {
      const request = await fresh();
      rpc.fault(undecided);
      await settle(request);
      const { paymentPayload, paymentRequirements } = request;
      const other = { ...paymentRequirements, maxTimeoutSeconds: 299 };
      const altered = {
        ...request,
        paymentPayload: { ...paymentPayload, accepted: other },
        paymentRequirements: other,
      };
      const { body } = await settle(altered);
      assert.equal(body.errorReason, 'invalid_exact_stellar_payload_authorization_replayed');
      rpc.heal();
      assert.equal((await settle(request)).body.success, true);
    });
  });

  describe('[spec: Facilitator codes/sponsor_balance_low] sponsor_balance_low', () => {
    it('is HTTP 503 with error and reason, and with what the canonical client reads', async () => {
      const { sponsor } = local.ledger.accounts;
      const { xlm } = await balancesOf(local, sponsor.address);
      const poor = await startFacilitator({
        ...facilitatorOptions(local),
        sponsorFloorStroops: xlm,
      });
      try {
        const response = await fetch(`${poor.url}/settle`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(await fresh()),
        });
        const body = (await response.json()) as Answer['body'];
        assert.equal(response.status, 503);
        assert.equal(body.error, 'settlement_refused');
        assert.equal(body.reason, 'sponsor_balance_low');
        assert.equal(body.success, false);
        assert.equal(body.errorReason, 'settlement_refused');
        assert.equal(body.transaction, '');
      } finally {
        await poor.close();
      }
    });
  });

  describe('[spec: Limits/Fee ceiling] [spec: Facilitator codes/fee_exceeds_maximum] MAX_TX_FEE_STROOPS', () => {
    it('below the bid refuses the payment, at /verify and at /settle', async () => {
      const cheap = await startFacilitator({
        ...facilitatorOptions(local),
        maxTxFeeStroops: 1_000n,
      });
      try {
        for (const path of ['/verify', '/settle']) {
          const response = await fetch(cheap.url + path, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(await fresh()),
          });
          const body = (await response.json()) as Answer['body'] & {
            extra: { code: string };
          };
          assert.equal(body.errorReason, 'invalid_exact_stellar_payload_fee_exceeds_maximum');
          assert.equal(body.extra.code, 'fee_exceeds_maximum');
        }
      } finally {
        await cheap.close();
      }
    });
  });

  describe('a ledger that does not answer', () => {
    it('/verify reports it with 503, in the form of an invalid payment', async () => {
      rpc.fault((method) => (method === 'simulateTransaction' ? 'reset' : undefined));
      const { status, body } = await post('/verify', await fresh());
      assert.equal(status, 503);
      assert.equal(body.isValid, false);
      assert.equal(body.errorReason, 'unexpected_verify_error');
      assert.equal(body.reason, 'ledger_unavailable');
    });

    it('/settle submits nothing, and the payment can be retried', async () => {
      const request = await fresh();
      rpc.fault((method) => (method === 'simulateTransaction' ? 'reset' : undefined));
      const { body } = await settle(request);
      assert.equal(body.transaction, '');
      assert.equal(body.errorReason, 'settle_exact_stellar_transaction_submission_failed');
      await atRest();
      rpc.heal();
      assert.equal((await settle(request)).body.success, true);
    });
  });

  it('[spec: Facilitator codes/authorization_replayed] is known from the ledger after a restart', async () => {
    const request = await fresh();
    assert.equal((await settle(request)).body.success, true);
    const restarted = await startFacilitator(facilitatorOptions(local));
    try {
      for (const path of ['/verify', '/settle']) {
        const response = await fetch(restarted.url + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(request),
        });
        const body = (await response.json()) as Answer['body'];
        assert.equal(body.errorReason, 'invalid_exact_stellar_payload_authorization_replayed');
      }
    } finally {
      await restarted.close();
    }
  });

  it('a facilitator that is being stopped answers the requests it has begun', async () => {
    const other = await startFacilitator({ ...facilitatorOptions(local), rpcUrl: rpc.url });
    rpc.fault((method) =>
      method === 'getTransaction' ? () => ({ status: 'NOT_FOUND', latestLedger: 1 }) : undefined,
    );
    const before = rpc.calls.length;
    const answer = fetch(`${other.url}/settle`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(await fresh()),
    });
    while (!rpc.calls.slice(before).includes('getTransaction')) await systemClock.sleep(5);
    const closed = other.close();
    rpc.heal();
    const body = (await (await answer).json()) as Answer['body'];
    assert.equal(body.success, true);
    await closed;
    await assert.rejects(fetch(`${other.url}/health`));
  });

  it('a channel with an outdated sequence number recovers within the settlement', async () => {
    // Someone else uses the channels' keys: the count kept here is then wrong for every one.
    for (const { secret } of local.ledger.accounts.channels) {
      const channel = openSigner(secret);
      assert.ok(channel);
      const toItself = xdr.OperationBody.payment(
        new xdr.PaymentOp({
          destination: xdr.MuxedAccount.keyTypeEd25519(channel.publicKey),
          asset: xdr.Asset.assetTypeNative(),
          amount: 1n,
        }),
      );
      await submit(local, channel, [toItself]);
    }
    assert.equal((await settle(await fresh())).body.success, true);
    await atRest();
  });
});
