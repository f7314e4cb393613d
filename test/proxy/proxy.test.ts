import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { USDC_CONTRACT } from '../../src/protocol/index.ts';
import { balancesOf, openPayer, openSeller } from '../support/accounts.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { sendRaw } from './foreign/sendRaw.ts';
import { ask, openShop, receiptIn, type Shop, serve, sign, termsIn } from './support/shop.ts';

/** What the API was asked, and what it answers, by path. */
type Page = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void;

describe('The paying proxy', () => {
  let stack: LocalStack;
  let payer: TestKey;
  let payTo: TestKey;
  let shop: Shop;
  let api: Awaited<ReturnType<typeof serve>>;
  let asked: {
    method: string;
    url: string;
    headers: IncomingMessage['headers'];
    rawHeaders: string[];
    body: string;
  }[] = [];
  const pages: Record<string, Page> = {
    '/weather/Lima': (_, response) => {
      response.setHeader('Cache-Control', 'public, max-age=60');
      response.setHeader('Set-Cookie', ['a=1', 'b=2']);
      response.setHeader('X-Mixed-Case', 'Yes');
      response.end('{"tempC":19}');
    },
    '/broken': (_, response) => {
      response.statusCode = 500;
      response.end('no');
    },
    '/cut': (_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half');
      setImmediate(() => response.destroy());
    },
    '/moved': (_, response) => {
      response.writeHead(302, { location: `${api.url}/elsewhere` });
      response.end();
    },
    '/slash': (_, response) => {
      response.writeHead(308, { location: '/slash/' });
      response.end();
    },
    '/events': (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
      setTimeout(() => response.end('data: 2\n\n'), 30);
    },
    '/events/cut': (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
      setTimeout(() => response.destroy(), 30);
    },
    '/long': (_, response) => {
      response.end(Buffer.alloc(3 << 20, 'x'));
    },
    '/quote': (_, response, body) => {
      response.end(`quote for ${body.length} bytes`);
    },
    '/price': (_, response) => {
      response.end('{"price":"0.03"}');
    },
  };

  before(async () => {
    stack = await startLocalStack();
    payer = await openPayer(stack, 1_000_000_000n);
    payTo = await openSeller(stack);
    api = await serve((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        const { method = '', url = '', headers, rawHeaders } = request;
        const body = Buffer.concat(pieces);
        asked.push({
          method,
          url,
          headers,
          rawHeaders,
          body: body.toString('latin1').slice(0, 200),
        });
        const page = pages[url.split('?')[0] ?? ''];
        if (page) return page(request, response, body);
        response.statusCode = url.startsWith('/free') ? 200 : 404;
        response.end(`free ${url}`);
      });
    });
    shop = await openShop(
      `
upstream: ${api.url}
payTo: ${payTo.address}
serviceName: Weather
routes:
  GET /weather/{city}: { price: 0.01, description: Weather by city, mimeType: application/json }
  POST /quote: { price: 0.02 }
  GET /broken: 0.01
  GET /cut: 0.01
  GET /moved: 0.01
  GET /slash: 0.01
  GET /events: 0.01
  GET /events/cut: 0.01
  GET /events/before: { price: 0.01, settle: before }
  GET /long: 0.01
  GET /dead: 0.01
  POST /batch: { price: 0.001, per: body.items.length, max: 0.005 }
  GET /list: { price: 0.001, per: query.count, max: 0.005 }
  GET /asked: { ask: /price, max: 0.05 }
  GET /asked/much: { ask: /price, max: 0.01 }
  GET /free: free
  POST /free/*: free
  GET /free/*: free
otherwise: closed
`,
      { facilitatorUrl: stack.facilitator.url },
    );
  });
  beforeEach(() => {
    asked = [];
  });
  after(async () => {
    await shop?.close();
    await api?.close();
    await stack?.close();
  });

  const signed = (target: string, request: Parameters<typeof ask>[2] = {}) =>
    sign(stack, payer, payTo, shop.proxy.url, target, request);
  const buy = async (target: string, request: Parameters<typeof ask>[2] = {}) => {
    const header = await signed(target, request);
    const headers = { ...request.headers, 'payment-signature': header };
    return { header, answer: await ask(shop.proxy.url, target, { ...request, headers }) };
  };
  const earned = async () => (await balancesOf(stack, payTo.address)).usdc;

  it('asks for the price without the API', async () => {
    const answer = await ask(shop.proxy.url, '/weather/Lima?units=metric');
    assert.equal(answer.status, 402);
    assert.deepEqual(asked, []);
    const { resource, accepts } = termsIn(answer);
    assert.equal(resource?.url, `${shop.proxy.url}/weather/Lima?units=metric`);
    assert.equal(resource?.description, 'Weather by city');
    assert.equal(accepts[0]?.amount, '100000');
    assert.equal(answer.headers['cache-control'], 'no-store');
  });

  it('takes the money once the response is there, and delivers it with its receipt', async () => {
    const before = await earned();
    const { answer } = await buy('/weather/Lima?units=metric');
    assert.equal(answer.status, 200);
    assert.equal(String(answer.body), '{"tempC":19}');
    assert.equal(receiptIn(answer)['success'], true);
    assert.equal((await earned()) - before, 100_000n);
    assert.deepEqual(
      asked.map(({ method, url }) => [method, url]),
      [['GET', '/weather/Lima?units=metric']],
    );
  });

  it('lets only the buyer keep a paid response, and leaves its other headers as they came', async () => {
    const { answer } = await buy('/weather/Lima', { headers: { origin: 'https://page.example' } });
    assert.equal(answer.headers['cache-control'], 'private, max-age=60');
    assert.equal(answer.headers.vary, 'payment-signature, authorization, accept-payment');
    assert.deepEqual(answer.headers['set-cookie'], ['a=1', 'b=2']);
    assert.ok(answer.rawHeaders.includes('X-Mixed-Case'));
    assert.match(String(answer.headers['access-control-expose-headers']), /PAYMENT-RESPONSE/);
  });

  it('gives the API who paid, signed, and drops what clients write under these names', async () => {
    const header = await signed('/weather/Lima');
    await ask(shop.proxy.url, '/weather/Lima', {
      headers: {
        'payment-signature': header,
        'x402-payer': 'GFORGED',
        X402_Payer: 'GFORGED',
        'x402-admin': 'yes',
        x_forwarded_for: '1.2.3.4',
        'x-forwarded-for': '1.2.3.4',
        'x-http-method-override': 'DELETE',
        'x-original-url': '/admin',
        connection: 'close, x-secret',
        'x-secret': 'of this hop',
      },
    });
    const [{ headers, rawHeaders } = assert.fail()] = asked;
    assert.equal(headers['x402-payer'], payer.address);
    assert.equal(headers['x402-amount'], '100000');
    assert.equal(headers['x-forwarded-for'], '127.0.0.1');
    assert.equal(headers['via'], '1.1 svc-x402');
    for (const name of [
      'x402_payer',
      'x402-admin',
      'x_forwarded_for',
      'x-http-method-override',
      'x-original-url',
      'x-secret',
      'payment-signature',
    ]) {
      assert.equal(headers[name], undefined, name);
    }
    assert.equal(rawHeaders.filter((each) => each.toLowerCase() === 'x402-payer').length, 1);
    const text = [
      'v1',
      headers['x402-time'],
      'GET',
      '/weather/Lima',
      'x402',
      payer.address,
      '100000',
      headers['x402-asset'],
      '',
    ].join('\n');
    const expected = createHmac('sha256', 'a secret of the test').update(text).digest('hex');
    assert.equal(headers['x402-signature'], `v1=${expected}`);
  });

  it('gives the identical request its response again, without the API and without another payment', async () => {
    const { header, answer } = await buy('/weather/Lima');
    const before = await earned();
    asked = [];
    const again = await ask(shop.proxy.url, '/weather/Lima', {
      headers: { 'payment-signature': header },
    });
    assert.equal(again.status, 200);
    assert.deepEqual(again.body, answer.body);
    assert.deepEqual(receiptIn(again), receiptIn(answer));
    assert.deepEqual([asked, await earned()], [[], before]);
    const other = await ask(shop.proxy.url, '/weather/Oslo', {
      headers: { 'payment-signature': header },
    });
    assert.equal(other.status, 402);
  });

  it('compares the body too', async () => {
    const { header, answer } = await buy('/quote', { method: 'POST', body: 'one' });
    assert.equal(String(answer.body), 'quote for 3 bytes');
    const other = await ask(shop.proxy.url, '/quote', {
      method: 'POST',
      body: 'three',
      headers: { 'payment-signature': header },
    });
    assert.equal(other.status, 409);
    assert.equal(asked.length, 1);
  });

  it('sends long bodies of both directions whole', async () => {
    const body = Buffer.alloc(2_500_000, 'y');
    const { answer } = await buy('/quote', { method: 'POST', body });
    assert.equal(String(answer.body), 'quote for 2500000 bytes');
    const { header, answer: long } = await buy('/long');
    assert.equal(long.body.length, 3 << 20);
    const again = await ask(shop.proxy.url, '/long', { headers: { 'payment-signature': header } });
    assert.equal(again.body.equals(long.body), true);
  });

  for (const [target, status] of [
    ['/broken', 500],
    ['/cut', 502],
    ['/dead', 404],
    ['/slash', 308],
  ] as const) {
    it(`takes nothing for ${target}, which ends with ${status}`, async () => {
      const before = await earned();
      const { answer } = await buy(target);
      assert.equal(answer.status, status);
      assert.equal(answer.headers['payment-response'], undefined);
      assert.equal(await earned(), before);
    });
  }

  it('sells a redirect, whose address may be what is sold, and leads back to itself', async () => {
    const { answer } = await buy('/moved');
    assert.equal(answer.status, 302);
    assert.equal(answer.headers.location, `${shop.proxy.url}/elsewhere`);
    assert.equal(receiptIn(answer)['success'], true);
  });

  it('takes the money for a stream before its first byte, and delivers it once', async () => {
    const { header, answer } = await buy('/events');
    assert.equal(String(answer.body), 'data: 1\n\ndata: 2\n\n');
    assert.equal(receiptIn(answer)['success'], true);
    const again = await ask(shop.proxy.url, '/events', {
      headers: { 'payment-signature': header },
    });
    assert.equal(again.status, 410);
    assert.equal(asked.length, 1);
  });

  it('owes a stream that broke off: the identical request is served, and pays nothing more', async () => {
    const header = await signed('/events/cut');
    const headers = { 'payment-signature': header };
    await assert.rejects(ask(shop.proxy.url, '/events/cut', { headers }));
    const before = await earned();
    await assert.rejects(ask(shop.proxy.url, '/events/cut', { headers }));
    assert.deepEqual([asked.length, await earned()], [2, before]);
  });

  it('with settle: before, gives the API the transaction', async () => {
    pages['/events/before'] = (_, response) => response.end('now');
    const { answer } = await buy('/events/before');
    assert.equal(String(answer.body), 'now');
    assert.match(String(asked[0]?.headers['x402-transaction']), /^[0-9a-f]{64}$/);
    assert.equal(receiptIn(answer)['transaction'], asked[0]?.headers['x402-transaction']);
  });

  it('owes what the API failed to serve after settle: before, and serves it later', async () => {
    pages['/events/before'] = (_, response) => {
      response.statusCode = 503;
      response.end();
    };
    const { header, answer } = await buy('/events/before');
    assert.equal(answer.status, 503);
    assert.equal(receiptIn(answer)['success'], true);
    pages['/events/before'] = (_, response) => response.end('at last');
    const before = await earned();
    const again = await ask(shop.proxy.url, '/events/before', {
      headers: { 'payment-signature': header },
    });
    assert.deepEqual([again.status, String(again.body), await earned()], [200, 'at last', before]);
  });

  describe('counts prices', () => {
    const post = (body: string) => ask(shop.proxy.url, '/batch', { method: 'POST', body });
    it('in the body', async () => {
      assert.equal(termsIn(await post('{"items":[1,2,3]}')).accepts[0]?.amount, '30000');
      pages['/batch'] = (_, response) => response.end('three');
      const { answer } = await buy('/batch', { method: 'POST', body: '{"items":[1,2,3]}' });
      assert.equal(String(answer.body), 'three');
    });
    for (const body of ['{"items":[]}', '{"items":"abc"}x', '[]', '', '{"items":[1,2,3,4,5,6]}']) {
      it(`and refuses ${body || 'an empty body'}`, async () => {
        assert.equal((await post(body)).status, 400);
      });
    }
    it('in the query, and only if it is there once', async () => {
      const status = async (query: string) => (await ask(shop.proxy.url, `/list${query}`)).status;
      assert.equal(await status('?count=2'), 402);
      for (const query of [
        '',
        '?count=1&count=5',
        '?count=-1',
        '?count=1.5',
        '?count=0',
        '?count=99',
      ]) {
        assert.equal(await status(query), 400, query);
      }
    });
    it('by asking the API, up to the ceiling', async () => {
      assert.equal(termsIn(await ask(shop.proxy.url, '/asked?x=1')).accepts[0]?.amount, '300000');
      assert.equal(asked[0]?.url, '/price?x=1');
      assert.equal((await ask(shop.proxy.url, '/asked/much')).status, 502);
    });
  });

  it('forwards free routes, with their bodies, and closes the others', async () => {
    assert.equal((await ask(shop.proxy.url, '/free')).status, 200);
    const post = await ask(shop.proxy.url, '/free/x?y=%2F', { method: 'POST', body: 'hello' });
    assert.equal(post.status, 200);
    assert.deepEqual([asked[1]?.url, asked[1]?.body], ['/free/x?y=%2F', 'hello']);
    assert.equal((await ask(shop.proxy.url, '/nothing')).status, 404);
    assert.equal(asked.length, 2);
  });

  it('drops names that a gateway could read as those of a connection, of a proxy, or of a payment', async () => {
    const names = ['Transfer_Encoding', 'Proxy_Authorization', 'Proxy', 'X402.Payer', 'X_Secret'];
    await ask(shop.proxy.url, '/free', {
      headers: {
        ...Object.fromEntries(names.map((name) => [name, 'chunked'])),
        connection: 'close, x-secret',
        'x-other_name': 'stays',
      },
    });
    const [{ headers } = assert.fail()] = asked;
    for (const name of names) assert.equal(headers[name.toLowerCase()], undefined, name);
    assert.equal(headers['x-other_name'], 'stays');
  });

  it('refuses a request with several hosts, which servers choose from differently', async () => {
    for (const target of ['/free', '/weather/Lima', '/-/health']) {
      const lines = ['Host: a', 'host: b', 'Connection: close', '', ''];
      const request = Buffer.from([`GET ${target} HTTP/1.1`, ...lines].join('\r\n'));
      assert.match(await sendRaw(shop.proxy.port, request, 2_000), /^HTTP\/1\.1 400 /, target);
    }
    assert.deepEqual(asked, []);
  });

  for (const [name, length, first, rest] of [
    ['a length', 'Content-Length: 5', 'he', 'llo'],
    ['chunks', 'Transfer-Encoding: chunked', '2\r\nhe\r\n', '3\r\nllo\r\n0\r\n\r\n'],
  ] as const) {
    it(`asks the API for a free route once the body is whole, so that slow clients hold none of its connections: ${name}`, async () => {
      let began = 0;
      const slowApi = await serve((request, response) => {
        began += 1;
        request.resume().on('end', () => response.end(String(request.headers['content-length'])));
      });
      const free = await openShop(
        `upstream: ${slowApi.url}\npayTo: ${payTo.address}\nroutes: { POST /free: free }`,
        { facilitatorUrl: stack.facilitator.url },
      );
      try {
        const socket = connect(free.proxy.port, '127.0.0.1');
        const answered = text(socket);
        socket.write(
          `POST /free HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${length}\r\n\r\n${first}`,
        );
        await pause(200);
        assert.equal(began, 0);
        socket.write(rest);
        assert.match(await answered, /^HTTP\/1\.1 200 [\s\S]*5/);
        assert.equal(began, 1);
      } finally {
        await free.close();
        await slowApi.close();
      }
    });
  }

  it('answers HEAD, OPTIONS and other methods of a sold path without the API', async () => {
    const head = await ask(shop.proxy.url, '/weather/Lima', { method: 'HEAD' });
    assert.deepEqual([head.status, head.body.length], [200, 0]);
    const preflight = await ask(shop.proxy.url, '/weather/Lima', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://page.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'payment-signature',
      },
    });
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers['access-control-allow-headers'], 'payment-signature');
    assert.equal((await ask(shop.proxy.url, '/weather/Lima', { method: 'DELETE' })).status, 405);
    assert.deepEqual(asked, []);
  });

  it('says what it sells, unless the API says it', async () => {
    const listed = JSON.parse(String((await ask(shop.proxy.url, '/.well-known/x402')).body));
    assert.ok(listed.resources.includes(`${shop.proxy.url}/quote`));
    const document = JSON.parse(String((await ask(shop.proxy.url, '/openapi.json')).body));
    const info = document.paths['/weather/{city}'].get['x-payment-info'];
    assert.equal(info.price.amount, '0.01');
    const charge = { intent: 'charge', method: 'stellar', currency: USDC_CONTRACT };
    assert.deepEqual(info.protocols, [{ x402: {} }, { mpp: charge }]);
    assert.deepEqual(info.offers, [{ ...charge, amount: '100000' }]);
    pages['/openapi.json'] = (_, response) => response.end('mine');
    assert.equal(String((await ask(shop.proxy.url, '/openapi.json')).body), 'mine');
  });

  it('is healthy, ready, and counts', async () => {
    assert.equal((await ask(shop.proxy.url, '/-/health')).status, 200);
    const ready = await ask(shop.proxy.url, '/-/ready');
    assert.equal(ready.status, 200, String(ready.body));
    const metrics = String((await ask(shop.proxy.url, '/-/metrics')).body);
    assert.match(metrics, /x402_proxy_requests_total\{outcome="sold"\} \d+/);
    assert.match(metrics, /x402_proxy_owed_sales 1/);
  });
});
