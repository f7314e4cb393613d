import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createSeller, SellerOptionError } from '../../src/handlers/index.ts';
import { accountSigner, createX402Fetch } from '../../src/sdk/index.ts';
import { ask, receiptIn, sign, termsIn } from '../proxy/support/shop.ts';
import { balancesOf, openPayer, openSeller } from '../support/accounts.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { USDC } from '../support/payment.ts';
import { APPS, type App, LONG, type Served } from './support/apps.ts';
import { type Gate, openGate } from './support/gate.ts';

describe('An app that sells with svc-x402/seller', () => {
  let stack: LocalStack;
  let payer: TestKey;
  let payTo: TestKey;
  let gate: Gate;
  const served: Served[] = [];
  const errors: unknown[] = [];
  before(async () => {
    stack = await startLocalStack();
    payer = await openPayer(stack, 1_000_000_000n);
    payTo = await openSeller(stack);
    gate = await openGate(stack.facilitator.url);
  });
  after(async () => {
    await gate.close();
    await stack.close();
  });

  for (const [kind, open] of Object.entries(APPS)) {
    describe(kind, () => {
      let app: App;
      before(async () => {
        const seller = createSeller({
          ...{ payTo: payTo.address, facilitator: gate.url, serviceName: 'Weather' },
          limits: { maxResponseBytes: 1 << 20 },
          onError: (error) => errors.push(error),
        });
        app = await open(seller, served);
      });
      beforeEach(() => {
        served.length = 0;
        errors.length = 0;
        gate.calls.length = 0;
      });
      after(() => app.close());
      const signed = (target: string, request: Parameters<typeof ask>[2] = {}): Promise<string> =>
        sign(stack, payer, payTo, app.url, target, request);
      const pay = async (target: string, request: Parameters<typeof ask>[2] = {}) =>
        ask(app.url, target, {
          ...request,
          headers: { ...request?.headers, 'payment-signature': await signed(target, request) },
        });

      it('asks for the price, without its handler and without the facilitator', async () => {
        const answer = await ask(app.url, '/weather/Lima?units=metric');
        assert.equal(answer.status, 402);
        const { accepts, resource } = termsIn(answer);
        assert.equal(accepts[0]?.amount, '100000');
        assert.equal(resource?.url, `${app.url}/weather/Lima?units=metric`);
        assert.equal(answer.headers['cache-control'], 'no-store');
        assert.match(String(answer.headers['www-authenticate']), /^Payment /);
        const head = await ask(app.url, '/weather/Lima', { method: 'HEAD' });
        assert.equal(head.status, 200);
        assert.deepEqual([served, gate.calls], [[], []]);
      });

      it('serves a paid request, which it says to the handler and settles', async () => {
        const { usdc: before } = await balancesOf(stack, payTo.address);
        const answer = await pay('/weather/Lima');
        assert.deepEqual([answer.status, answer.body.toString()], [200, '{"tempC":19}']);
        assert.equal(receiptIn(answer)['success'], true);
        assert.equal(answer.headers['cache-control'], 'private, max-age=9');
        assert.match(String(answer.headers['vary']), /payment-signature, authorization/);
        assert.deepEqual(served, [
          { path: '/weather/Lima', payer: payer.address, protocol: 'x402' },
        ]);
        assert.equal((await balancesOf(stack, payTo.address)).usdc - before, 100_000n);
      });

      it('sends nothing before the payment has settled', async () => {
        const header = await signed('/weather/Lima');
        const release = gate.hold();
        let isAnswered = false;
        const asked = ask(app.url, '/weather/Lima', { headers: { 'payment-signature': header } });
        void asked.then(() => {
          isAnswered = true;
        });
        const deadline = Date.now() + 10_000;
        while (!gate.calls.includes('/settle') && Date.now() < deadline) {
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
        assert.equal(served.length, 1);
        await new Promise((resolve) => setTimeout(resolve, 50));
        assert.equal(isAnswered, false);
        release();
        assert.equal((await asked).status, 200);
      });

      it('delivers nothing if the payment does not settle', async () => {
        gate.refuse(true);
        try {
          for (const path of ['/weather/Lima', '/events', '/long']) {
            const answer = await pay(path);
            assert.equal(answer.status, 402, path);
            assert.doesNotMatch(answer.body.toString(), /tempC|data: 1|x{3}/);
          }
          assert.equal(served.length, 3);
        } finally {
          gate.refuse(false);
        }
      });

      it('answers the identical request with the kept response, and another one with 409', async () => {
        const headers = { 'payment-signature': await signed('/weather/Lima') };
        const first = await ask(app.url, '/weather/Lima', { headers });
        const again = await ask(app.url, '/weather/Lima', { headers });
        assert.deepEqual([again.status, again.body], [200, first.body]);
        assert.equal(receiptIn(again)['transaction'], receiptIn(first)['transaction']);
        assert.equal(served.length, 1);
        assert.equal(gate.calls.filter((path) => path === '/settle').length, 1);
        const other = await ask(app.url, '/weather/Cusco', { headers });
        assert.equal(other.status, 402);
      });

      it('gives the handler the body of the request, which the payment is for', async () => {
        const request = (body: string) => ({
          ...{ method: 'POST', body },
          headers: { 'content-type': 'application/json', 'content-length': String(body.length) },
        });
        const header = await signed('/quote', request('{"items":[1,2]}'));
        const send = (body: string) =>
          ask(app.url, '/quote', {
            ...request(body),
            headers: { ...request(body).headers, 'payment-signature': header },
          });
        const answer = await send('{"items":[1,2]}');
        assert.deepEqual([answer.status, answer.body.toString()], [200, 'quote for 2']);
        const other = await send('{"items":[1,2,3]}');
        assert.equal(other.status, 409);
        assert.equal(JSON.parse(other.body.toString()).error, 'payment_used');
        assert.equal(served.length, 1);
      });

      it('settles nothing for a handler that fails', async () => {
        assert.deepEqual(
          await pay('/broken').then(({ status, body }) => [status, body.toString()]),
          [500, 'no'],
        );
        const thrown = await pay('/throws');
        assert.ok(thrown.status >= 500, String(thrown.status));
        assert.equal(gate.calls.includes('/settle'), false);
      });

      it('settles a stream before its first byte, and delivers all of it', async () => {
        const answer = await pay('/events');
        assert.equal(answer.status, 200);
        assert.match(answer.body.toString(), /^data: 1\n\n.*data: 2\n\n$/s);
        assert.equal(receiptIn(answer)['success'], true);
      });

      it('delivers a response that is longer than what is kept', async () => {
        const answer = await pay('/long');
        assert.deepEqual([answer.status, answer.body.length], [200, LONG]);
        assert.ok(answer.body.every((byte) => byte === 120));
      });

      it('refuses a path that servers read differently', async () => {
        const answer = await ask(app.url, '/weather/a%2Fb');
        assert.equal(answer.status, 400);
        assert.equal(JSON.parse(answer.body.toString()).error, 'ambiguous_path');
        assert.deepEqual(served, []);
      });

      it('is paid by MPP, too', async () => {
        const fetch = createX402Fetch({
          ...{
            signer: accountSigner(payer.address, (hash) => payer.sign(Buffer.from(hash))),
            rpcUrl: stack.rpcUrl,
          },
          ...{ allowedAssets: [USDC], protocols: ['mpp'] },
        });
        const response = await fetch(`${app.url}/weather/Lima`);
        assert.equal(response.status, 200);
        assert.match(response.headers.get('payment-receipt') ?? '', /./);
        assert.equal(response.headers.get('payment-response'), null);
        assert.equal(served[0]?.protocol, 'mpp');
      });

      it('lets pages of other sites read the price', async () => {
        const answer = await ask(app.url, '/weather/Lima', {
          headers: { origin: 'http://page.example' },
        });
        assert.equal(answer.headers['access-control-allow-origin'], '*');
        assert.match(String(answer.headers['access-control-expose-headers']), /PAYMENT-REQUIRED/);
      });
    });
  }

  it('refuses options that cannot be used, each with a code', () => {
    const good = { payTo: payTo.address, facilitator: gate.url };
    for (const [change, code] of [
      [{ payTo: 'GABC' }, 'invalid_pay_to'],
      [{ facilitator: 'localhost' }, 'invalid_url'],
      [{ publicUrl: 'api.example.com' }, 'invalid_url'],
      [{ secret: 'too short' }, 'invalid_secret'],
      [{ protocols: [] }, 'no_protocol'],
    ] as const) {
      assert.throws(
        () => createSeller({ ...good, ...change }),
        (error) => error instanceof SellerOptionError && error.code === code,
      );
    }
    for (const price of ['0', '-1', 'free', '0.00000001', '']) {
      assert.throws(
        () => createSeller(good).node({ price }),
        (error) => error instanceof SellerOptionError && error.code === 'invalid_price',
      );
    }
  });
});
