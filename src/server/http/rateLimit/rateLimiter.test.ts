import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { testClock } from '../../../../test/support/testClock.ts';
import { createRateLimiter, type RateLimitVerdict } from './rateLimiter.ts';
import { rateLimitHeaders } from './rateLimitHeaders.ts';

function limiter(perMinute: number) {
  const clock = testClock();
  const rates = createRateLimiter(perMinute, clock);
  return { clock, take: (client = 'a') => rates.take(client) as RateLimitVerdict };
}

describe('[spec: Limits/Request rate] 60 requests per minute per IP', () => {
  it('lets 60 pass and refuses the 61st', () => {
    const { take } = limiter(60);
    for (let i = 0; i < 60; i++) assert.equal(take().allowed, true);
    assert.equal(take().allowed, false);
  });

  it('counts each client for itself', () => {
    const { take } = limiter(1);
    assert.equal(take('a').allowed, true);
    assert.equal(take('b').allowed, true);
    assert.equal(take('a').allowed, false);
  });

  it('in any minute, wherever it begins, and lets clients through that have waited', () => {
    const pauses = fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 300 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 80 }), pauses, (perMinute, between) => {
        const { clock, take } = limiter(perMinute);
        const passed: number[] = [];
        for (const pause of between) {
          clock.advance(pause);
          const now = clock.now();
          const inLastMinute = passed.filter((time) => time > now - 60_000).length;
          const { allowed } = take();
          assert.equal(allowed, inLastMinute < perMinute);
          if (allowed) passed.push(now);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('a refused request is not counted, so a client that insists waits no longer', () => {
    const { clock, take } = limiter(1);
    take();
    for (let second = 0; second < 59; second++) {
      clock.advance(1_000);
      assert.equal(take().allowed, false);
    }
    clock.advance(1_000);
    assert.equal(take().allowed, true);
  });

  it('keeps a limited number of clients, and drops the one that was silent longest', () => {
    const { take } = limiter(10_000);
    // At this rate 100 clients fit.
    take('first');
    for (let i = 0; i < 99; i++) take(`${i}`);
    assert.equal(take('first').remaining, 9_998);
    take('one more');
    assert.equal(take('first').remaining, 9_997);
    assert.equal(take('0').remaining, 9_999);
  });
});

describe('Rate-limit headers', () => {
  it('state the limit, what is left, when it changes, and how long to wait', () => {
    const { clock, take } = limiter(2);
    take();
    clock.advance(20_500);
    assert.deepEqual(rateLimitHeaders(take()), {
      'ratelimit-limit': '2',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '40',
      'ratelimit-policy': '2;w=60',
    });
    const refused = take();
    assert.equal(rateLimitHeaders(refused)['retry-after'], '40');
    clock.advance(40_000);
    assert.equal(take().allowed, true);
  });
});
