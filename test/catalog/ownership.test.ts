import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { checkOwnership } from '../../src/server/catalog/ownership/checkOwnership.ts';
import { testKey } from '../support/payer.ts';
import {
  type Behaviour,
  challengeFor,
  PUBLIC_ADDRESS,
  startTlsSeller,
  type TlsSeller,
} from '../support/tlsSeller.ts';

const PAY_TO = testKey('seller').address;
const OTHER = testKey('stranger').address;
const KIB = 1024;

const answer =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (_, response) => {
    response.writeHead(status, headers).end('{}');
  };
const charge = (header: string): Behaviour => answer(402, { 'payment-required': header });

/** A challenge for the seller of exactly so many bytes. */
function challengeOf(bytes: number): string {
  const bare = Buffer.from(challengeFor(PAY_TO), 'base64').toString();
  const json = (padding: number) => bare.replace('{', `{"error":"${'x'.repeat(padding)}",`);
  // Base64 grows by four bytes a step: the one that is reached is the next multiple of four.
  let padding = Math.floor((bytes / 4) * 3) - bare.length - 16;
  while (Buffer.from(json(padding)).toString('base64').length < bytes) padding += 1;
  return Buffer.from(json(padding)).toString('base64');
}

describe('[spec: ownerVerified/States] the five requirements, on real TLS sockets', () => {
  const open: TlsSeller[] = [];
  after(async () => {
    for (const seller of open) await seller.close();
  });
  async function seller(behave: Behaviour, parts?: Parameters<typeof startTlsSeller>[1]) {
    const started = await startTlsSeller(behave, parts);
    open.push(started);
    return started;
  }
  async function check(at: TlsSeller, url = `https://${at.host}/quote`) {
    const verdict = await checkOwnership(
      {
        url,
        payTo: PAY_TO,
        reach: 'public',
        signal: new AbortController().signal,
        now: Date.now(),
      },
      at.fetch,
    );
    return verdict.verified ? 'verified' : verdict.failure;
  }

  it('[spec: ownerVerified/4] true when the challenge names the seller, alone or among others', async () => {
    for (const recipients of [[PAY_TO], [OTHER, PAY_TO], [` ${PAY_TO.toLowerCase()} `]]) {
      const at = await seller(charge(challengeFor(...recipients)));
      assert.equal(await check(at), 'verified');
      assert.deepEqual(at.dialled, [`${PUBLIC_ADDRESS}:443`]);
      const [request, ...more] = at.requests;
      assert.equal(more.length, 0);
      assert.equal(request?.method, 'GET');
      assert.equal(request?.headers.host, 'seller.dev');
      // Unauthenticated: nothing that could count as a payment or a login.
      assert.deepEqual(Object.keys(request?.headers ?? {}).sort(), [
        'accept',
        'connection',
        'host',
        'user-agent',
      ]);
    }
  });

  it('[spec: ownerVerified/1] 1. the URL is https and public: http and a private address are refused before anything is sent', async () => {
    const at = await seller(charge(challengeFor(PAY_TO)));
    assert.equal(await check(at, 'http://seller.dev/quote'), 'url_not_permitted');
    assert.equal(await check(at, 'https://127.0.0.1/quote'), 'url_not_permitted');
    assert.deepEqual(at.dialled, []);
  });

  it('1. TLS is verified for the name', async () => {
    const named = await seller(charge(challengeFor(PAY_TO)), { names: ['other.dev'] });
    assert.equal(await check(named), 'no_answer');
    const at = await seller(charge(challengeFor(PAY_TO)));
    const { trustAnchors: _, ...untrusting } = at.fetch;
    assert.equal(await check({ ...at, fetch: untrusting }), 'no_answer');
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      assert.equal(await check({ ...at, fetch: untrusting }), 'no_answer');
    } finally {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
    }
    assert.deepEqual([...named.requests, ...at.requests], []);
  });

  it('1. no proxy of the environment is used', async () => {
    const at = await seller(charge(challengeFor(PAY_TO)));
    const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
    const before = names.map((name) => process.env[name]);
    for (const name of names)
      process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : 'http://127.0.0.1:9';
    try {
      assert.equal(await check(at), 'verified');
    } finally {
      names.forEach((name, at) => {
        const value = before[at];
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      });
    }
  });

  it('[spec: ownerVerified/2] 2. an unauthenticated GET answers 402: 200, 401, 403, 404 and 500 are unverifiable', async () => {
    for (const status of [200, 201, 204, 400, 401, 403, 404, 500, 503]) {
      const at = await seller(answer(status, { 'payment-required': challengeFor(PAY_TO) }));
      assert.equal(await check(at), 'not_402', `${status}`);
    }
  });

  it('[spec: ownerVerified/3] 3. the verdict comes from the header only', async () => {
    const inBody = await seller((_, response) => {
      response.writeHead(402).end(JSON.stringify({ x402Version: 2, accepts: [{ payTo: PAY_TO }] }));
    });
    assert.equal(await check(inBody), 'no_challenge');
    for (const header of [
      '',
      'no base64!',
      Buffer.from('no json').toString('base64'),
      Buffer.from('[]').toString('base64'),
      Buffer.from('{}').toString('base64'),
    ]) {
      assert.equal(await check(await seller(charge(header))), 'unreadable_challenge', header);
    }
    const twice = await seller((_, response) => {
      response.setHeader('payment-required', [challengeFor(PAY_TO), challengeFor(PAY_TO)]);
      response.writeHead(402).end();
    });
    assert.equal(await check(twice), 'no_challenge');
  });

  it('[spec: ownerVerified/3] [spec: Limits/PAYMENT-REQUIRED header] 3. the header may have 64 KiB, and not one byte more', async () => {
    const most = challengeOf(64 * KIB);
    assert.equal(most.length, 64 * KIB);
    assert.equal(await check(await seller(charge(most))), 'verified');
    // One byte more of the same: white space before the end would be taken off by HTTP.
    assert.equal(await check(await seller(charge(`A${most}`))), 'challenge_too_large');
    assert.equal(await check(await seller(charge(challengeOf(200 * KIB)))), 'no_answer');
  });

  it('[spec: ownerVerified/3] 3. the body is never downloaded', async () => {
    let closed = false;
    const at = await seller((request, response) => {
      response.writeHead(402, { 'payment-required': challengeFor(PAY_TO) });
      const chunk = Buffer.alloc(64 * KIB);
      const more = (): void => {
        if (!closed && response.write(chunk)) setImmediate(more);
        else if (!closed) response.once('drain', more);
      };
      request.socket.on('close', () => {
        closed = true;
      });
      more();
    });
    assert.equal(await check(at), 'verified');
    for (let round = 0; !closed && round < 100; round++) await wait(10);
    assert.equal(closed, true);
    // What the kernel takes before anybody reads it.
    assert.ok(at.sent() < 16 * KIB * KIB, `${at.sent()} bytes`);
  });

  it('[spec: ownerVerified/4] 4. the challenge has to name exactly this recipient', async () => {
    for (const recipients of [[], [OTHER], [PAY_TO.slice(0, -1)], [`${PAY_TO}A`]]) {
      const at = await seller(charge(challengeFor(...recipients)));
      assert.equal(await check(at), 'other_recipient');
    }
    const odd = Buffer.from(
      JSON.stringify({ accepts: [null, 1, { payTo: 7 }, { payTo: { toString: 'x' } }] }),
    );
    assert.equal(await check(await seller(charge(odd.toString('base64')))), 'other_recipient');
  });

  it('[spec: ownerVerified/5] [spec: Limits/Ownership fetch] 5. redirects are not followed: a 301 from /quote to /quote/ fails', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const at = await seller((request, response) => {
        if (request.url === '/quote') response.writeHead(status, { location: '/quote/' }).end();
        else charge(challengeFor(PAY_TO))(request, response);
      });
      assert.equal(await check(at), 'redirected');
      assert.equal(at.requests.length, 1);
    }
    const away = await seller(
      answer(302, { location: 'http://169.254.169.254/latest/meta-data/' }),
    );
    assert.equal(await check(away), 'redirected');
    assert.deepEqual(away.dialled, [`${PUBLIC_ADDRESS}:443`]);
  });

  it('[spec: ownerVerified/5] [spec: Limits/Ownership fetch] 5. an answer has to arrive within three seconds, however slowly it comes', async () => {
    const silent = await seller(() => {});
    const dripping = await seller((request) => {
      const lines = ['HTTP/1.1 402 Payment Required\r\n', ...Array(1_000).fill('x-more: 1\r\n')];
      const timer = setInterval(() => request.socket.write(lines.shift() ?? '\r\n'), 100);
      request.socket.on('close', () => clearInterval(timer));
    });
    const startedAt = Date.now();
    assert.deepEqual(await Promise.all([check(silent), check(dripping)]), [
      'no_answer',
      'no_answer',
    ]);
    const took = Date.now() - startedAt;
    // The dripping answer takes 100 seconds, the silent one for ever.
    assert.ok(took >= 2_900 && took < 60_000, `${took} ms`);
  });

  it('a protocol switch, garbage, and a connection that is cut are not answers', async () => {
    const behaviours: Behaviour[] = [
      (request) =>
        request.socket.end(
          'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
        ),
      (request) => request.socket.end('SSH-2.0-OpenSSH_9.2\r\n'),
      (request) => request.socket.destroy(),
      (request) => request.socket.end('HTTP/1.1 402 Payment Required\r\npayment-required: '),
    ];
    for (const behave of behaviours) assert.equal(await check(await seller(behave)), 'no_answer');
  });
});
