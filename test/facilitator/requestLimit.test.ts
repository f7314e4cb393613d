import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type FacilitatorOptions,
  type RunningFacilitator,
  startFacilitator,
} from '../../src/server/index.ts';
import { canonicalClient, canonicalInstalled } from '../support/facilitatorClient.ts';
import { facilitatorOptions, type LocalNetwork, startLocalNetwork } from '../support/localStack.ts';
import { paymentRequest } from '../support/payment.ts';
import { type Posted, post } from '../support/post.ts';

describe('[spec: Limits/Request rate] 60 requests per minute per IP', () => {
  let local: LocalNetwork;
  before(async () => {
    local = await startLocalNetwork();
  });
  after(() => local.close());

  /** Runs `what` against a facilitator with the limit, default or given. */
  async function limited(
    options: Partial<FacilitatorOptions>,
    what: (facilitator: RunningFacilitator) => Promise<void>,
  ): Promise<void> {
    const { rateLimitPerMinute: _, ...rest } = facilitatorOptions(local);
    const facilitator = await startFacilitator({ ...rest, ...options });
    try {
      await what(facilitator);
    } finally {
      await facilitator.close();
    }
  }

  const ask = (base: string, path: string, headers: Record<string, string> = {}) =>
    fetch(base + path, { headers });

  function isRefused({ status, body }: Posted): void {
    assert.equal(status, 429);
    assert.equal(body.error, 'rate_limited');
    assert.equal(body.reason, 'rate_limited');
  }

  it('the 61st is refused; 60 is the default', async () => {
    await limited({}, async ({ url }) => {
      for (let i = 0; i < 60; i++) assert.equal((await ask(url, '/supported')).status, 200);
      assert.equal((await ask(url, '/supported')).status, 429);
    });
  });

  it('[spec: Limits/Request rate] [spec: Health/Exempt] /health is exempt', async () => {
    await limited({ rateLimitPerMinute: 1 }, async ({ url }) => {
      for (let i = 0; i < 5; i++) assert.equal((await ask(url, '/health')).status, 200);
      assert.equal((await ask(url, '/supported')).status, 200);
      assert.equal((await ask(url, '/health')).status, 200);
    });
  });

  it('is stated in standard headers, with Retry-After once it is reached', async () => {
    await limited({ rateLimitPerMinute: 2 }, async ({ url }) => {
      const [first, , third] = [
        await ask(url, '/supported'),
        await ask(url, '/supported'),
        await ask(url, '/supported'),
      ];
      assert.equal(first.headers.get('ratelimit-limit'), '2');
      assert.equal(first.headers.get('ratelimit-remaining'), '1');
      assert.equal(first.headers.get('ratelimit-policy'), '2;w=60');
      assert.equal(first.headers.get('retry-after'), null);
      assert.equal(third.status, 429);
      const wait = Number(third.headers.get('retry-after'));
      assert.ok(wait > 50 && wait <= 60, `${wait}`);
      assert.equal(third.headers.get('ratelimit-remaining'), '0');
    });
  });

  it('refuses in the form that the canonical client parses, for each path', async () => {
    await limited({ rateLimitPerMinute: 1 }, async ({ url }) => {
      await ask(url, '/supported');
      const verify = await post(url, '/verify', '{}');
      isRefused(verify);
      assert.equal(verify.body.isValid, false);
      assert.equal(verify.body.invalidReason, 'rate_limited');
      const settle = await post(url, '/settle', '{}');
      isRefused(settle);
      assert.equal(settle.body.success, false);
      assert.equal(settle.body.transaction, '');
      assert.equal(settle.body.network, 'stellar:testnet');
      assert.equal(settle.body.errorReason, 'rate_limited');
    });
  });

  it('the canonical client reads it as a refusal, not as an outage', {
    skip: !canonicalInstalled,
  }, async () => {
    await limited({ rateLimitPerMinute: 1 }, async ({ url }) => {
      await ask(url, '/supported');
      const { paymentPayload, paymentRequirements } = paymentRequest();
      await assert.rejects(canonicalClient(url).settle(paymentPayload, paymentRequirements), {
        name: 'SettleError',
        errorReason: 'rate_limited',
      });
    });
  });

  it('comes before the body is read', async () => {
    await limited({ rateLimitPerMinute: 1 }, async ({ url }) => {
      await ask(url, '/supported');
      isRefused(await post(url, '/settle', 'x'.repeat(100_000)));
    });
  });

  it('a forged X-Forwarded-For changes nothing: no proxy is trusted unless one is named', async () => {
    await limited({ rateLimitPerMinute: 1 }, async ({ url }) => {
      const forged = (address: string) => ask(url, '/supported', { 'x-forwarded-for': address });
      assert.equal((await forged('203.0.113.1')).status, 200);
      assert.equal((await forged('203.0.113.2')).status, 429);
    });
  });

  it('behind a trusted proxy counts the address from the proxy, not from the client', async () => {
    await limited({ rateLimitPerMinute: 1, trustedProxyHops: 1 }, async ({ url }) => {
      const through = (chain: string) => ask(url, '/supported', { 'x-forwarded-for': chain });
      assert.equal((await through('203.0.113.1')).status, 200);
      assert.equal((await through('203.0.113.2')).status, 200);
      assert.equal((await through('198.51.100.1, 203.0.113.1')).status, 429);
      assert.equal((await through('2001:db8::1')).status, 200);
      assert.equal((await through('2001:db8::ffff')).status, 429);
    });
  });

  it('does not apply on loopback during development', async () => {
    await limited({ rateLimitPerMinute: 1, rateLimitExemptsLoopback: true }, async ({ url }) => {
      for (let i = 0; i < 3; i++) assert.equal((await ask(url, '/supported')).status, 200);
    });
  });

  it('0 sets no limit', async () => {
    await limited({ rateLimitPerMinute: 0 }, async ({ url }) => {
      const answer = await ask(url, '/supported');
      assert.equal(answer.headers.get('ratelimit-limit'), null);
      for (let i = 0; i < 100; i++) assert.equal((await ask(url, '/supported')).status, 200);
    });
  });
});
