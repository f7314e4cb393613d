import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { after, before, beforeEach, describe, it } from 'node:test';
import { formFor, type RequestForm } from '../../../src/extension/request/index.ts';
import { openShop, type Shop, serve } from '../../proxy/support/shop.ts';
import { balancesOf, openSeller } from '../../support/accounts.ts';
import { type LocalStack, startLocalStack } from '../../support/localStack.ts';
import type { TestKey } from '../../support/payer.ts';
import { sendInPanel } from './panelRequest.ts';

const PRICE = 100_000n;

describe('The panel and sellers of either protocol', () => {
  let stack: LocalStack;
  let payTo: TestKey;
  let api: Awaited<ReturnType<typeof serve>>;
  let both: Shop;
  let alone: Shop;
  let asked: IncomingMessage['headers'][] = [];

  before(async () => {
    stack = await startLocalStack();
    payTo = await openSeller(stack);
    api = await serve((request, response) => {
      asked.push(request.headers);
      if (request.url === '/broken') response.writeHead(500).end('no weather');
      else response.end('sunny');
    });
    const shopOf = (protocols: string) =>
      openShop(
        `
upstream: ${api.url}
payTo: ${payTo.address}
${protocols}
routes:
  GET /weather: 0.01
  GET /broken: 0.01
  GET /dear: 100.01
otherwise: closed
`,
        { facilitatorUrl: stack.facilitator.url },
      );
    both = await shopOf('');
    alone = await shopOf('protocols: [mpp]');
  });
  after(async () => {
    await both?.close();
    await alone?.close();
    await api?.close();
    await stack?.close();
  });
  beforeEach(() => {
    asked = [];
  });

  const formOf = (url: string, rest: Partial<RequestForm> = {}): RequestForm => ({
    ...formFor('GET', url, undefined),
    ...rest,
  });
  const received = async () => (await balancesOf(stack, payTo.address)).usdc;

  const SHOPS = [
    { name: 'both', shop: () => both, offered: /^x402, MPP/, paid: /^x402$/ },
    { name: 'MPP alone', shop: () => alone, offered: /^MPP/, paid: /^MPP/ },
  ];
  for (const { name, shop, offered, paid } of SHOPS) {
    it(`of ${name}: terms, payment, response and receipt are shown, with the protocol`, async () => {
      const before = await received();
      const { outcome, answer } = await sendInPanel(formOf(`${shop().proxy.url}/weather`), {
        stack,
      });
      assert.equal(outcome.kind, 'settled', outcome.headline + outcome.detail);
      assert.match(outcome.headline, /^Settled: 0\.01 USDC/);
      assert.equal(outcome.terms?.price, '0.01 USDC');
      assert.equal(outcome.terms.recipient, payTo.address);
      assert.match(outcome.terms.protocols, offered);
      assert.ok(outcome.terms.checks.every(({ ok }) => ok));
      assert.match(outcome.receipt.find(({ label }) => label === 'Protocol')?.value ?? '', paid);
      assert.equal(answer?.text, 'sunny');
      assert.equal((await received()) - before, PRICE);
      assert.equal(asked.length, 1);
    });

    it(`of ${name}: a price above the limit is not paid`, async () => {
      const before = await received();
      const { outcome } = await sendInPanel(formOf(`${shop().proxy.url}/dear`), { stack });
      assert.equal(outcome.kind, 'failed');
      assert.match(outcome.headline, /exceeds the limit for test payments/);
      assert.equal(outcome.terms?.price, '100.01 USDC');
      assert.equal(await received(), before);
      assert.equal(asked.length, 0);
    });

    it(`of ${name}: an error of the endpoint is not called a payment`, async () => {
      const before = await received();
      const { outcome, answer } = await sendInPanel(formOf(`${shop().proxy.url}/broken`), {
        stack,
      });
      assert.equal(outcome.kind, 'failed');
      assert.doesNotMatch(outcome.headline, /^Settled|payment settled/);
      assert.equal(answer?.status, 500);
      assert.deepEqual(outcome.receipt, []);
      assert.equal(await received(), before);
    });
  }

  it('of MPP alone: an Authorization of the request is kept, and the panel says why nothing is paid', async () => {
    const headers = [{ name: 'Authorization', value: 'Bearer mine' }];
    const { outcome } = await sendInPanel(formOf(`${alone.proxy.url}/weather`, { headers }), {
      stack,
    });
    assert.equal(outcome.kind, 'failed');
    assert.match(outcome.headline, /no way to pay/);
    assert.match(outcome.detail, /Authorization header, and the request has one of its own/);
    assert.equal(asked.length, 0);
  });

  it('of both: an Authorization of the request reaches the endpoint, paid by x402', async () => {
    const headers = [{ name: 'Authorization', value: 'Bearer mine' }];
    const { outcome } = await sendInPanel(formOf(`${both.proxy.url}/weather`, { headers }), {
      stack,
    });
    assert.equal(outcome.kind, 'settled', outcome.headline + outcome.detail);
    assert.equal(asked.at(-1)?.authorization, 'Bearer mine');
  });
});
