import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decodeHeaderMessage } from '../../src/protocol/index.ts';
import { type RunningFacilitator, startFacilitator } from '../../src/server/index.ts';
import { openAccount, openPayer, openSeller } from '../support/accounts.ts';
import { type FaultyRpc, startFaultyRpc } from '../support/faultyRpc.ts';
import { type FreshParts, freshPayment } from '../support/freshPayment.ts';
import { hurriedClock } from '../support/hurriedClock.ts';
import { facilitatorOptions, type LocalNetwork, startLocalNetwork } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { STRANGER } from '../support/payment.ts';
import { post } from '../support/post.ts';

/**
 * Where the specification and the published packages differ, and what is done here. The rows of the
 * catalog (serviceName, route templates, keys, filters, ownership) are held with the catalog, those
 * of `upto` with that scheme, those of generated code with the code.
 */
describe('Where specification and published packages differ', () => {
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
      clock: hurriedClock(),
    });
    payer = await openPayer(local, 1_000_000_000n);
    seller = await openSeller(local);
  });
  after(async () => {
    await facilitator.close();
    await rpc.close();
    await local.close();
  });

  const pay = (parts: FreshParts = {}, to = seller) => freshPayment(local, payer, to, parts);
  const verify = (request: object) => post(facilitator.url, '/verify', request);
  const settle = (request: object) => post(facilitator.url, '/settle', request);

  it('[spec: POST /verify and POST /settle/Simulation source] source of the simulation: the all-zero account of the canonical client, a funded stranger, one that does not exist; not the payer', async () => {
    const funded = await openAccount(local);
    for (const source of [new Uint8Array(32), funded.publicKey, STRANGER.publicKey]) {
      assert.equal((await verify(await pay({ source }))).body.isValid, true);
    }
    const own = await verify(
      await pay({ source: payer.publicKey, entry: { kind: 'sourceAccount' } }),
    );
    assert.equal(
      own.body.invalidReason,
      'invalid_exact_stellar_payload_unsupported_credential_type',
    );
  });

  it('[spec: Facilitator codes/fee_exceeds_maximum] the fee ceiling: the canonical name as reason, the specified one as extra.code', async () => {
    const cheap = await startFacilitator({ ...facilitatorOptions(local), maxTxFeeStroops: 1_000n });
    try {
      const { body } = await post(cheap.url, '/verify', await pay());
      assert.equal(body.invalidReason, 'invalid_exact_stellar_payload_fee_exceeds_maximum');
      assert.equal(body.extra?.code, 'fee_exceeds_maximum');
      assert.match(body.invalidMessage ?? '', /^fee_exceeds_maximum: /);
    } finally {
      await cheap.close();
    }
  });

  it('[spec: Limits/Fee ceiling] the ceiling is compared with the real bid, not with the client’s fee', async () => {
    const request = await pay({ fee: 4_000_000_000 });
    assert.equal((await verify(request)).body.isValid, true);
  });

  it('[spec: Limits/Fee ceiling] 500,000 stroops unless raised, and /supported says so', async () => {
    const kinds = async (url: string) =>
      ((await (await fetch(`${url}/supported`)).json()) as { kinds: { extra: object }[] }).kinds;
    const [exact] = await kinds(facilitator.url);
    assert.deepEqual(exact?.extra, {
      areFeesSponsored: true,
      maxTransactionFeeStroops: '500000',
    });
    const raised = await startFacilitator({
      ...facilitatorOptions(local),
      maxTxFeeStroops: 750_000n,
    });
    const [higher] = await kinds(raised.url);
    await raised.close();
    assert.deepEqual(higher?.extra, {
      areFeesSponsored: true,
      maxTransactionFeeStroops: '750000',
    });
  });

  it('a replay is refused by its own code, at once, and acceptable again if never submitted', async () => {
    const request = await pay();
    // Both attempts are refused; the fence that proves it gets through.
    let sends = 0;
    rpc.fault((method) =>
      method === 'sendTransaction' && ++sends <= 2
        ? { result: { status: 'TRY_AGAIN_LATER', hash: '0'.repeat(64), latestLedger: 1 } }
        : undefined,
    );
    assert.equal((await settle(request)).body.transaction, '');
    rpc.heal();
    assert.equal((await settle(request)).body.success, true);
    const before = rpc.calls.length;
    const { body } = await settle(request);
    assert.equal(body.errorReason, 'invalid_exact_stellar_payload_authorization_replayed');
    // Whether the ledger still has a trace of the payment. The watch over the network reads beside it, whenever it is due.
    const asked = new Set(rpc.calls.slice(before));
    assert.ok(asked.has('getLedgerEntries'));
    for (const method of ['simulateTransaction', 'sendTransaction', 'getTransaction', 'getEvents'])
      assert.ok(!asked.has(method), method);
  });

  it('[spec: Facilitator codes/missing_trustline_recipient] a recipient without a trustline is refused already at /verify, with its own code', async () => {
    const request = await pay({}, await openAccount(local));
    for (const { body } of [await verify(request), await settle(request)]) {
      assert.equal(body.errorReason, 'invalid_exact_stellar_payload_missing_trustline_recipient');
    }
  });

  it('[spec: Facilitator codes/transaction_failed] [spec: Settlement outcomes/Failed on the ledger] transaction_failed is for submitted payments; others have another code and no hash', async () => {
    // Both attempts are refused; the fence that proves it gets through.
    let sends = 0;
    rpc.fault((method) =>
      method === 'sendTransaction' && ++sends <= 2
        ? { result: { status: 'TRY_AGAIN_LATER', hash: '0'.repeat(64), latestLedger: 1 } }
        : undefined,
    );
    const { body } = await settle(await pay());
    rpc.heal();
    assert.equal(body.errorReason, 'settle_exact_stellar_transaction_submission_failed');
    assert.equal(body.transaction, '');
  });

  it('[spec: Events/extension-responses] extension-responses is base64 of both vocabularies, only on a successful /settle', async () => {
    const request = await pay();
    const verified = await verify(request);
    const settled = await settle(request);
    const refused = await settle(request);
    const malformed = await settle({});
    for (const { headers } of [verified, refused, malformed]) {
      assert.equal(headers.get('extension-responses'), null);
    }
    const { bazaar } = decodeHeaderMessage(
      settled.headers.get('extension-responses') ?? '',
    ) as Record<string, Record<string, unknown>>;
    assert.equal(bazaar?.['cataloged'], false);
    assert.equal(bazaar?.['status'], 'rejected');
    assert.equal(bazaar?.['rejectedReason'], bazaar?.['reason']);
  });

  it('a settle response always has the amount, as a string', async () => {
    const request = await pay();
    assert.equal((await settle(request)).body.amount, '100000');
    assert.equal((await settle(request)).body.amount, '0');
  });

  it('[spec: POST /verify and POST /settle/Empty object] an empty object has a non-null errorReason, in both shapes', async () => {
    const verified = await verify({});
    assert.equal(verified.status, 400);
    assert.equal(verified.body.isValid, false);
    assert.ok(verified.body.errorReason && verified.body.invalidReason);
    const settled = await settle({});
    assert.equal(settled.status, 400);
    assert.equal(settled.body.success, false);
    assert.equal(settled.body.transaction, '');
    assert.ok(settled.body.errorReason && settled.body.network);
  });

  it('[spec: POST /verify and POST /settle/Refusal 503] a refusal with 503 has error and reason, and what the canonical client reads', async () => {
    const poor = await startFacilitator({
      ...facilitatorOptions(local),
      sponsorFloorStroops: 10n ** 17n,
    });
    try {
      const { status, body } = await post(poor.url, '/settle', await pay());
      assert.equal(status, 503);
      const { error, reason, success, errorReason, transaction, network } = body;
      assert.deepEqual(
        { error, reason, success, errorReason, transaction, network },
        {
          error: 'settlement_refused',
          reason: 'sponsor_balance_low',
          success: false,
          errorReason: 'settlement_refused',
          transaction: '',
          network: 'stellar:testnet',
        },
      );
    } finally {
      await poor.close();
    }
  });

  it('expiry: six ledgers of tolerance by default', async () => {
    /** Whether a facilitator that has not yet measured how fast ledgers close takes so many ledgers. */
    async function takes(ledgers: number, tolerance?: number): Promise<boolean | undefined> {
      const fresh = await startFacilitator({
        ...facilitatorOptions(local),
        ...(tolerance === undefined ? {} : { expiryToleranceLedgers: tolerance }),
      });
      const expirationLedger = (await local.network.getLatestLedger()) + ledgers;
      const { body } = await post(fresh.url, '/verify', await pay({ entry: { expirationLedger } }));
      await fresh.close();
      if (body.isValid === false) {
        assert.equal(body.invalidReason, 'invalid_exact_stellar_signature_expiration_too_far');
      }
      return body.isValid;
    }
    // 300 seconds are 60 ledgers of five; another 12 are looked at twice, against skew.
    assert.equal(await takes(66), true);
    assert.equal(await takes(66 + 13), false);
    assert.equal(await takes(60, 0), true);
    assert.equal(await takes(60 + 13, 0), false);
  });

  it('a muxed recipient is refused by name', async () => {
    const payTo = 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK';
    const { body } = await verify(await pay({ requirements: { payTo } }));
    assert.equal(body.invalidReason, 'invalid_payto');
    assert.match(body.invalidMessage ?? '', /muxed/);
  });
});
