import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get as askFor, createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type PayPage, payPage } from '../../src/proxy/payPage.ts';

const SCRIPT = Buffer.from('console.log("pay");'.repeat(200));
const PAYER = 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57';

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of request) text += String(piece);
  return text;
}

describe('What a page for people asks of the network, through its seller', () => {
  /** What reached the network. */
  let asked: { readonly url: string; readonly body: string }[] = [];
  let reply: { readonly status: number; readonly body: string } = { status: 200, body: '{}' };
  let client = 'a';
  let time = 0;
  let page: PayPage;
  let url: string;
  let networkUrl: string;
  const network = createServer((request, response) => {
    void textOf(request).then((body) => {
      asked.push({ url: request.url ?? '', body });
      response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.body);
    });
  });
  const seller = createServer((request, response) => {
    void page(request.url ?? '', client, request, response);
  });

  before(async () => {
    networkUrl = await listening(network);
    url = await listening(seller);
  });
  beforeEach(() => {
    asked = [];
    reply = { status: 200, body: '{"ok":true}' };
    client = 'a';
    page = payPage({
      script: SCRIPT,
      network: {
        rpcUrl: `${networkUrl}/rpc`,
        horizonUrl: `${networkUrl}/horizon`,
        friendbotUrl: `${networkUrl}/friendbot`,
      },
      elapsed: () => time,
    });
  });
  after(() => {
    for (const server of [network, seller]) {
      server.close();
      server.closeAllConnections();
    }
  });

  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${url}/-/page${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const rpc = (method: string, params: object = {}) =>
    post('/rpc', { jsonrpc: '2.0', id: 1, method, params });
  async function refusal(response: Promise<Response>): Promise<unknown> {
    const { status, body } = await response.then(async (one) => ({
      status: one.status,
      body: (await one.json()) as { error: string; message: string },
    }));
    assert.ok(body.message.length > 0);
    return [status, body.error];
  }

  it('a call of a buyer passes as it came, and nothing else of the request', async () => {
    const response = await rpc('getLedgerEntries', { keys: ['AAAA'] });
    assert.deepEqual(await response.json(), { ok: true });
    assert.deepEqual(
      asked.map(({ url: to, body }) => [to, JSON.parse(body)]),
      [['/rpc', { jsonrpc: '2.0', id: 1, method: 'getLedgerEntries', params: { keys: ['AAAA'] } }]],
    );
  });

  for (const method of ['svc_reset', 'svc_setTime', 'getNetwork', 'getTransactions', '__proto__']) {
    it(`the method ${method} does not pass`, async () => {
      assert.deepEqual(await refusal(rpc(method)), [400, 'invalid_request']);
      assert.equal(asked.length, 0);
    });
  }

  const malformed: readonly (readonly [string, unknown])[] = [
    ['a batch', [{ jsonrpc: '2.0', id: 1, method: 'getHealth' }]],
    ['another member', { jsonrpc: '2.0', id: 1, method: 'getHealth', url: 'http://169.254.0.1' }],
    ['text', 'not JSON'],
    ['more than 64 KiB', `{"a":"${'x'.repeat(70_000)}"}`],
  ];
  for (const [name, body] of malformed) {
    it(`${name} does not pass`, async () => {
      assert.deepEqual(await refusal(post('/rpc', body)), [400, 'invalid_request']);
      assert.equal(asked.length, 0);
    });
  }

  it('friendbot is asked for an account alone', async () => {
    for (const address of ['G', `${PAYER}&addr=other`, '../rpc', 'CAAA']) {
      assert.deepEqual(await refusal(post('/friendbot', { address })), [400, 'invalid_request']);
    }
    assert.equal((await post('/friendbot', { address: PAYER })).status, 200);
    assert.deepEqual(
      asked.map((one) => one.url),
      [`/friendbot?addr=${PAYER}`],
    );
  });

  it('the exchange is asked for the price of an amount alone', async () => {
    for (const amount of ['0', '-1', '1&cursor=1', '1e9', '']) {
      assert.deepEqual(await refusal(post('/quote', { amount })), [400, 'invalid_request']);
    }
    assert.equal((await post('/quote', { amount: '2.5' })).status, 200);
    const to = asked.at(-1)?.url ?? '';
    assert.match(to, /^\/horizon\/paths\/strict-receive\?source_assets=native&/);
    assert.match(to, /&destination_amount=2\.5$/);
  });

  it('other paths, methods and types are refused', async () => {
    assert.deepEqual(await refusal(post('/other', {})), [400, 'invalid_request']);
    assert.deepEqual(await refusal(fetch(`${url}/-/page/rpc`)), [405, 'method_not_allowed']);
    // A form of any page could be sent with these.
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx']) {
      const sent = post('/rpc', '{}', { 'content-type': type });
      assert.deepEqual(await refusal(sent), [415, 'not_json']);
    }
    assert.equal(asked.length, 0);
  });

  it('a client that asks too often waits, and others do not', async () => {
    for (let times = 0; times < 6; times += 1) {
      assert.equal((await post('/friendbot', { address: PAYER })).status, 200);
    }
    const more = () => post('/friendbot', { address: PAYER });
    assert.deepEqual(await refusal(more()), [429, 'too_many_requests']);
    assert.equal((await rpc('getHealth')).status, 200);
    client = 'b';
    assert.equal((await more()).status, 200);
    client = 'a';
    time += 60_000;
    assert.equal((await more()).status, 200);
  });

  it('all clients together have a limit of their own', async () => {
    for (let times = 0; times < 60; times += 1) {
      client = `client ${times}`;
      assert.equal((await post('/friendbot', { address: PAYER })).status, 200);
    }
    client = 'one more';
    const last = await post('/friendbot', { address: PAYER });
    assert.equal(last.headers.get('retry-after'), '5');
    assert.deepEqual(await refusal(Promise.resolve(last)), [429, 'too_many_requests']);
  });

  it('an answer of the network that is refused, too long or no JSON is reported as such', async () => {
    reply = { status: 500, body: '{"secret":"of the network"}' };
    assert.deepEqual(await refusal(rpc('getHealth')), [502, 'network_refused']);
    reply = { status: 200, body: `"${'x'.repeat(2 << 20)}"` };
    assert.deepEqual(await refusal(rpc('getHealth')), [502, 'network_refused']);
    reply = { status: 200, body: '<html>' };
    assert.deepEqual(await refusal(rpc('getHealth')), [502, 'network_unreachable']);
  });

  it('the script is sent as the browser takes it, and once', async () => {
    const get = (headers: Record<string, string>) =>
      new Promise<{ body: Buffer; headers: IncomingMessage['headers']; status: number }>((done) => {
        askFor(`${url}/-/page/pay.js`, { headers }, (response) => {
          const pieces: Buffer[] = [];
          response.on('data', (piece: Buffer) => pieces.push(piece));
          response.on('end', () =>
            done({
              ...{ body: Buffer.concat(pieces), headers: response.headers },
              status: response.statusCode ?? 0,
            }),
          );
        });
      });
    const plain = await get({});
    assert.deepEqual(plain.body, SCRIPT);
    assert.deepEqual(
      brotliDecompressSync((await get({ 'accept-encoding': 'gzip, br' })).body),
      SCRIPT,
    );
    assert.deepEqual(gunzipSync((await get({ 'accept-encoding': 'gzip' })).body), SCRIPT);
    const again = await get({ 'if-none-match': String(plain.headers.etag) });
    assert.deepEqual([again.status, again.body.length], [304, 0]);
  });

  it('what was bought is shown in a document without an origin, which nobody else frames', async () => {
    const response = await fetch(`${url}/-/page/frame`);
    const policy = response.headers.get('content-security-policy') ?? '';
    assert.match(policy, /^sandbox allow-scripts;/);
    assert.match(policy, /frame-ancestors 'self'/);
    assert.doesNotMatch(policy, /allow-same-origin|connect-src/);
  });
});
