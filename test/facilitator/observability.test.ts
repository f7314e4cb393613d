import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import * as xdr from '@stellar/stellar-sdk/xdr';
import { pino } from 'pino';
import type { FacilitatorRequest } from '../../src/protocol/wire/index.ts';
import {
  deriveChannelSecrets,
  type RunningFacilitator,
  startFacilitator,
} from '../../src/server/index.ts';
import { openAccount, openPayer, openSeller } from '../support/accounts.ts';
import { type FaultyRpc, startFaultyRpc } from '../support/faultyRpc.ts';
import { freshPayment } from '../support/freshPayment.ts';
import { hurriedClock } from '../support/hurriedClock.ts';
import { facilitatorOptions, type LocalNetwork, startLocalNetwork } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { STRANGER } from '../support/payment.ts';
import { post } from '../support/post.ts';

type Line = Record<string, unknown>;

/** Waits as the service does, but six seconds pass at once. */
const hurried = hurriedClock(6_000);

describe('What the service reports about itself', () => {
  let local: LocalNetwork;
  let rpc: FaultyRpc;
  let facilitator: RunningFacilitator;
  let payer: TestKey;
  let seller: TestKey;
  let text = '';

  before(async () => {
    local = await startLocalNetwork();
    rpc = await startFaultyRpc(local.rpcUrl);
    const destination = new Writable({
      write(chunk: Buffer, _encoding, done) {
        text += chunk.toString();
        done();
      },
    });
    facilitator = await startFacilitator({
      ...facilitatorOptions(local),
      rpcUrl: rpc.url,
      clock: hurried,
      logger: pino({ level: 'debug' }, destination),
    });
    payer = await openPayer(local);
    seller = await openSeller(local);
  });
  after(async () => {
    await facilitator.close();
    await rpc.close();
    await local.close();
  });

  const lines = (): Line[] =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line);
  const settle = (request: FacilitatorRequest) => post(facilitator.url, '/settle', request);
  const fresh = () => freshPayment(local, payer, seller);

  /** The value of a metric, by its exact name and labels. */
  async function metric(name: string): Promise<number | undefined> {
    const all = await (await fetch(`${facilitator.url}/metrics`)).text();
    const line = all.split('\n').find((one) => one.startsWith(`${name} `));
    return line === undefined ? undefined : Number(line.slice(name.length + 1));
  }

  describe('Logs', () => {
    it('name the request in every line about it, under the id in its response', async () => {
      const settled = await settle(await fresh());
      const refused = await settle(await freshPayment(local, payer, await openAccount(local)));
      for (const [{ headers }, message] of [
        [settled, 'settled'],
        [refused, 'not settled'],
      ] as const) {
        const id = headers.get('x-request-id');
        assert.match(id ?? '', /^[0-9a-f]{8}-[0-9a-z]+$/);
        const about = lines().filter((line) => line['request'] === id);
        assert.deepEqual(
          about.map(({ msg }) => msg),
          ['settling', message, 'answered'],
        );
      }
      assert.notEqual(settled.headers.get('x-request-id'), refused.headers.get('x-request-id'));
    });

    it('name the settlement in every line about it, from the start', async () => {
      rpc.fault((method) =>
        method === 'getTransaction' ? () => ({ status: 'NOT_FOUND', latestLedger: 1 }) : undefined,
      );
      const request = await fresh();
      const { headers } = await settle(request);
      rpc.heal();
      await settle(request);
      const [begun] = lines().filter(
        (line) => line['request'] === headers.get('x-request-id') && line['msg'] === 'settling',
      );
      assert.ok(begun?.['settlement']);
      const others = lines().filter(({ settlement }) => settlement === begun['settlement']);
      assert.ok(others.every((line) => line['request'] === begun['request']));
    });

    it('an id that a client sends is not adopted', async () => {
      const headers = { 'x-request-id': 'of-somebody-else' };
      const answer = await fetch(`${facilitator.url}/health`, { headers });
      assert.notEqual(answer.headers.get('x-request-id'), 'of-somebody-else');
      assert.doesNotMatch(text, /of-somebody-else/);
    });

    it('of a settlement have its hash, payer and recipient, and the sponsor’s balance', async () => {
      const { body } = await settle(await fresh());
      const line = lines().find((one) => one['hash'] === body.transaction);
      assert.equal(line?.['payer'], payer.address);
      assert.equal(line?.['payTo'], seller.address);
      assert.equal(line?.['amount'], '100000');
      assert.match(String(line?.['sponsorBalance']), /^\d+$/);
    });

    it('of a payment name its endpoint without the query: verified, refused, settled, not settled', async () => {
      const url = 'https://shop.example/weather';
      const resource = { url: `${url}/?key=of-a-buyer` };
      const named = ({ paymentPayload, ...rest }: FacilitatorRequest): FacilitatorRequest => ({
        ...rest,
        paymentPayload: { ...paymentPayload, resource },
      });
      const request = named(await fresh());
      const refused = named(
        await freshPayment(local, payer, seller, { requirements: { amount: '1' } }),
      );
      const before = lines().length;
      await post(facilitator.url, '/verify', request);
      await settle(request);
      await post(facilitator.url, '/verify', refused);
      await settle(refused);
      const about = lines()
        .slice(before)
        .filter(({ resource: named }) => named === url);
      assert.deepEqual(
        about.map(({ msg }) => msg),
        ['verified', 'settled', 'payment refused', 'not settled'],
      );
      const [verified] = about;
      assert.equal(verified?.['amount'], '100000');
      assert.equal(verified?.['payer'], payer.address);
      assert.doesNotMatch(text, /of-a-buyer/);
    });

    it('of a refused submission have the ledger’s answer', async () => {
      // Both attempts are refused; the fence that proves it gets through.
      let sends = 0;
      rpc.fault((method) =>
        method === 'sendTransaction' && ++sends <= 2
          ? { result: { status: 'TRY_AGAIN_LATER', hash: '0'.repeat(64), latestLedger: 1 } }
          : undefined,
      );
      const { headers } = await settle(await fresh());
      rpc.heal();
      const id = headers.get('x-request-id');
      const line = lines().find((one) => one['request'] === id && one['msg'] === 'not settled');
      assert.equal(line?.['code'], 'submission_failed');
      assert.match(String(line?.['detail']), /TRY_AGAIN_LATER/);
    });

    it('have no secrets or signatures, whatever happens', async () => {
      const requests = [
        await fresh(),
        await freshPayment(local, payer, seller, { entry: { signer: STRANGER } }),
        await freshPayment(local, payer, seller, { requirements: { amount: '1' } }),
      ];
      const faults: Parameters<FaultyRpc['fault']>[0][] = [
        () => undefined,
        (method) => (method === 'simulateTransaction' ? 'reset' : undefined),
        (method) => (method === 'sendTransaction' ? 'lose_answer' : undefined),
        (method) => (method === 'sendTransaction' ? { status: 500, text: 'x' } : undefined),
        (method) =>
          method === 'getTransaction'
            ? () => ({ status: 'NOT_FOUND', latestLedger: 1 })
            : undefined,
      ];
      for (const fault of faults) {
        rpc.fault((method) => {
          // What no ledger decides is waited for until a deadline.
          if (method === 'getTransaction') hurried.skip(3_000);
          return fault(method);
        });
        for (const request of [...requests, await fresh()]) {
          await post(facilitator.url, '/verify', request);
          await settle(request);
          requests[0] = request;
        }
      }
      rpc.heal();
      const { sponsor, channels } = local.ledger.accounts;
      const secrets = [sponsor.secret, ...channels.map(({ secret }) => secret)];
      assert.equal(secrets.filter((secret) => text.includes(secret)).length, 0);
      assert.doesNotMatch(text, /\bS[A-Z2-7]{55}\b/);
      for (const { paymentPayload } of requests) {
        const envelope = String(paymentPayload.payload.transaction);
        assert.ok(!text.includes(envelope));
        for (const signature of signaturesIn(envelope)) {
          assert.ok(!text.includes(Buffer.from(signature).toString('base64').slice(0, 60)));
          assert.ok(!text.includes(Buffer.from(signature).toString('hex')));
        }
      }
      // Long texts in base64 or hex are hashes at most.
      assert.doesNotMatch(text, /[0-9a-f]{65,}/);
      assert.doesNotMatch(text, /[A-Za-z0-9+/]{100,}/);
    });
  });

  describe('GET /metrics', () => {
    it('is in Prometheus’s text format, and counts each outcome of a settlement by its code', async () => {
      const answer = await fetch(`${facilitator.url}/metrics`);
      assert.match(answer.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
      const settled = 'svc_x402_settlement_seconds_count{outcome="settled"}';
      const replayed = 'svc_x402_settlement_seconds_count{outcome="authorization_replayed"}';
      const [before, beforeReplayed] = [await metric(settled), await metric(replayed)];
      const request = await fresh();
      await settle(request);
      await settle(request);
      assert.equal(await metric(settled), (before ?? 0) + 1);
      assert.equal(await metric(replayed), (beforeReplayed ?? 0) + 1);
    });

    it('counts verdicts of /verify, requests by route and status, calls to the ledger', async () => {
      const valid = 'svc_x402_verifications_total{outcome="valid"}';
      const before = (await metric(valid)) ?? 0;
      await post(facilitator.url, '/verify', await fresh());
      assert.equal(await metric(valid), before + 1);
      await fetch(`${facilitator.url}/wp-login.php`);
      await fetch(`${facilitator.url}/${'x'.repeat(50)}`);
      const all = await (await fetch(`${facilitator.url}/metrics`)).text();
      assert.match(all, /http_request_seconds_count\{route="\/verify",status="200"\} \d/);
      assert.match(all, /http_request_seconds_count\{route="other",status="404"\} 2/);
      assert.match(all, /rpc_call_seconds_count\{method="simulateTransaction",outcome="ok"\} \d/);
      assert.doesNotMatch(all, /wp-login/);
    });

    it('shows the pool and the sponsor', async () => {
      assert.equal(await metric('svc_x402_channels'), 50);
      assert.ok((await metric('svc_x402_channels_free')) !== undefined);
      assert.ok(((await metric('svc_x402_sponsor_balance_stroops')) ?? 0) > 0);
      assert.ok((await metric('svc_x402_sponsor_reserved_stroops')) !== undefined);
    });

    it('shows no addresses or secrets', async () => {
      const all = await (await fetch(`${facilitator.url}/metrics`)).text();
      assert.doesNotMatch(all, /\b[GSC][A-Z2-7]{55}\b/);
    });
  });

  it('[spec: Health/status] /health has the balance of the sponsor', async () => {
    await settle(await fresh());
    const { sponsor } = (await (await fetch(`${facilitator.url}/health`)).json()) as {
      sponsor: { address: string; balance: string; reserved: string };
    };
    assert.equal(sponsor.address, local.ledger.accounts.sponsor.address);
    assert.match(sponsor.balance, /^\d+$/);
  });

  it('a start that fails names no secret', async () => {
    const [secret = ''] = deriveChannelSecrets('one more sponsor');
    const options = { ...facilitatorOptions(local), sponsorSecret: `${secret.slice(0, 55)}A` };
    await assert.rejects(startFacilitator(options), (error) => {
      assert.ok(error instanceof Error);
      return !error.message.includes(secret.slice(0, 20));
    });
  });
});

/** The signatures in the authorization entries of an envelope. */
function signaturesIn(envelope: string): Uint8Array[] {
  const decoded = xdr.TransactionEnvelope.fromXdr(envelope, 'base64');
  assert.ok(decoded.type === 'envelopeTypeTx');
  const [operation] = decoded.v1.tx.operations;
  assert.ok(operation?.body.type === 'invokeHostFunction');
  return operation.body.invokeHostFunctionOp.auth.flatMap(({ credentials }) => {
    if (credentials.type !== 'sorobanCredentialsAddress') return [];
    const { signature } = credentials.address;
    if (signature.type !== 'scvVec') return [];
    return (signature.vec ?? []).flatMap((one) =>
      one.type === 'scvMap'
        ? (one.map ?? []).flatMap(({ val }) =>
            val.type === 'scvBytes' && val.bytes.value.length === 64 ? [val.bytes.value] : [],
          )
        : [],
    );
  });
}
