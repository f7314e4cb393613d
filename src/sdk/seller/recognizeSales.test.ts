import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { encodeHeaderMessage } from '../../protocol/index.ts';
import { type RecognizeSalesOptions, recognizeSales } from './recognizeSales.ts';
import { memorySales, type SaleStore } from './saleStore.ts';

const ID = 'order-2026-000000017';

interface Paid {
  readonly id?: string;
  readonly transaction?: string;
  readonly declared?: boolean;
}

/** The header of a payment for a route whose terms declare the sale. */
function signed({ id = ID, transaction = 'AAAA', declared = true }: Paid = {}): string {
  const extra = declared ? { 'payment-identifier': { method: 'GET', resource: '/weather' } } : {};
  return encodeHeaderMessage({
    x402Version: 2,
    accepted: { scheme: 'exact', extra },
    payload: { transaction },
    extensions: { 'payment-identifier': { info: { required: false, id } } },
  });
}

const SETTLED = encodeHeaderMessage({ success: true, transaction: 'ab' });
const REFUSED = encodeHeaderMessage({ success: false, transaction: '', errorReason: 'no' });

/** A seller on `Request` and `Response` that counts what it serves. */
function seller(
  options: RecognizeSalesOptions = {},
  sold: () => Promise<Response> | Response = () =>
    new Response('sunny', { headers: { 'payment-response': SETTLED, 'set-cookie': 'a=b' } }),
) {
  const sales = recognizeSales(options);
  let served = 0;
  const ask = (header: string, path = '/weather', method = 'GET') =>
    sales.handle(
      new Request(`http://seller.example${path}`, {
        method,
        headers: { 'payment-signature': header },
      }),
      async () => {
        served += 1;
        return sold();
      },
    );
  return { ask, served: () => served };
}

describe('A seller that recognizes sales', () => {
  it('answers the same payment with the response that it sold, and serves once', async () => {
    const { ask, served } = seller();
    const first = await ask(signed());
    assert.equal(await first.text(), 'sunny');
    for (let times = 0; times < 50; times++) {
      const again = await ask(signed());
      assert.equal(again.status, 200);
      assert.equal(await again.text(), 'sunny');
      assert.equal(again.headers.get('payment-response'), SETTLED);
      assert.equal(again.headers.get('set-cookie'), null);
    }
    assert.equal(served(), 1);
  });

  for (const [name, header, path, method] of [
    ['another payload', signed({ transaction: 'BBBB' }), '/weather', 'GET'],
    ['another path', signed(), '/gold', 'GET'],
    ['another query', signed(), '/weather?day=2', 'GET'],
    ['another method', signed(), '/weather', 'DELETE'],
  ] as const) {
    it(`refuses ${name} under the identifier with 409, without serving it`, async () => {
      const { ask, served } = seller();
      await ask(signed());
      const refused = await ask(header, path, method);
      assert.equal(refused.status, 409);
      const { error } = (await refused.json()) as { error: string };
      assert.equal(error, 'payment_identifier_conflict');
      assert.equal(served(), 1);
    });
  }

  for (const [name, header] of [
    ['no identifier', encodeHeaderMessage({ payload: {}, accepted: {} })],
    ['an identifier that is too short', signed({ id: 'short' })],
    ['terms that declare no sale', signed({ declared: false })],
    ['no message at all', '%'],
  ] as const) {
    it(`leaves a payment with ${name} to the payment middleware`, async () => {
      const { ask, served } = seller();
      await ask(header);
      await ask(header);
      assert.equal(served(), 2);
    });
  }

  for (const [name, sold] of [
    [
      'was not settled',
      () => new Response('no', { status: 402, headers: { 'payment-response': REFUSED } }),
    ],
    [
      'failed after it settled',
      () => new Response('no', { status: 500, headers: { 'payment-response': SETTLED } }),
    ],
    ['has no payment', () => new Response('free')],
    [
      'has a receipt that nobody can read',
      () => new Response('a', { headers: { 'payment-response': '%' } }),
    ],
    ['threw', () => Promise.reject(new Error('broken'))],
  ] as const) {
    it(`does not keep a response that ${name}`, async () => {
      const { ask, served } = seller({}, sold);
      for (let times = 0; times < 2; times++) await ask(signed()).catch(() => undefined);
      assert.equal(served(), 2);
    });
  }

  it('lets one of ten requests at once through, and gives the others its response', async () => {
    const { ask, served } = seller({}, async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return new Response('sunny', { headers: { 'payment-response': SETTLED } });
    });
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(signed())));
    assert.deepEqual(
      new Set(await Promise.all(answers.map((one) => one.text()))),
      new Set(['sunny']),
    );
    assert.equal(served(), 1);
  });

  it('says that a sale is still being served if that takes too long', async () => {
    let finish: () => void = () => {};
    const { ask } = seller(
      { waitMs: 10 },
      () =>
        new Promise<Response>((resolve) => {
          finish = () =>
            resolve(new Response('late', { headers: { 'payment-response': SETTLED } }));
        }),
    );
    const first = ask(signed());
    const busy = await ask(signed());
    assert.deepEqual([busy.status, busy.headers.get('retry-after')], [503, '1']);
    finish();
    assert.equal(await (await first).text(), 'late');
    assert.equal(await (await ask(signed())).text(), 'late');
  });

  it('serves once even if the response is too long to keep, and says that it is gone', async () => {
    const { ask, served } = seller({ maxBodyBytes: 4 });
    assert.equal(await (await ask(signed())).text(), 'sunny');
    const again = await ask(signed());
    assert.equal(again.status, 410);
    assert.equal(served(), 1);
  });

  it('serves nothing while its store does not answer, and reports why', async () => {
    const failed: unknown[] = [];
    const broken = new Error('the disk is full');
    const store: SaleStore = { find: () => Promise.reject(broken), keep: async () => {} };
    const { ask, served } = seller({ store, onError: (error) => failed.push(error) });
    assert.equal((await ask(signed())).status, 503);
    assert.deepEqual([served(), failed], [0, [broken]]);
  });

  it('delivers a response that its store does not keep, and reports why', async () => {
    const failed: unknown[] = [];
    const broken = new Error('the disk is full');
    const store: SaleStore = { ...memorySales(), keep: () => Promise.reject(broken) };
    const { ask } = seller({ store, onError: (error) => failed.push(error) });
    assert.equal(await (await ask(signed())).text(), 'sunny');
    assert.deepEqual(failed, [broken]);
  });
});

describe('A seller on node:http that recognizes sales', () => {
  it('repeats status, headers and bytes, however they were sent', async () => {
    const sales = recognizeSales();
    let served = 0;
    const server = createServer((request, response) =>
      sales.middleware(request, response, () => {
        served += 1;
        const type = { 'content-type': 'image/png', 'x-served': `${served}` };
        if (request.url === '/head') {
          response.writeHead(201, { ...type, 'payment-response': SETTLED });
        } else {
          response.statusCode = 201;
          response.setHeader('payment-response', SETTLED);
          for (const [name, value] of Object.entries(type)) response.setHeader(name, value);
        }
        response.write(Buffer.from([0, 255]));
        response.write('é', 'latin1');
        response.end('é');
      }),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      for (const [path, id] of [
        ['/head', `${ID}-1`],
        ['/set', `${ID}-2`],
      ] as const) {
        const answers: unknown[] = [];
        for (let times = 0; times < 2; times++) {
          const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
            headers: { 'payment-signature': signed({ id }) },
          });
          const body = [...new Uint8Array(await answer.arrayBuffer())];
          answers.push([
            answer.status,
            answer.headers.get('x-served'),
            answer.headers.get('content-type'),
            body,
          ]);
        }
        assert.deepEqual(answers[0], answers[1]);
        assert.deepEqual((answers[0] as unknown[])[3], [0, 255, 0xe9, 0xc3, 0xa9]);
      }
      assert.equal(served, 2);
    } finally {
      server.close();
    }
  });

  it('repeats headers in any letter case, values of one name, and texts in their encoding', async () => {
    const sales = recognizeSales({ store: memorySales() });
    const server = createServer((request, response) =>
      sales.middleware(request, response, () => {
        response.setHeader('content-type', 'text/plain');
        response.setHeader('link', ['</a>; rel=next', '</b>; rel=prev']);
        response.writeHead(200, { 'Content-Type': 'image/png', 'Payment-Response': SETTLED });
        response.end('cGFpZA==', 'base64');
      }),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      for (let times = 0; times < 2; times++) {
        const answer = await fetch(`http://127.0.0.1:${port}/`, {
          headers: { 'payment-signature': signed() },
        });
        assert.equal(answer.headers.get('content-type'), 'image/png');
        assert.equal(answer.headers.get('link'), '</a>; rel=next, </b>; rel=prev');
        assert.equal(await answer.text(), 'paid');
      }
    } finally {
      server.close();
    }
  });
});
