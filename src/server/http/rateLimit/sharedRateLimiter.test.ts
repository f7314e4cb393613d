import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testClock } from '../../../../test/support/testClock.ts';
import { openStore } from '../../store/index.ts';
import { createRateCounter } from '../../store/rateCounter.ts';
import { createRateLimiter, MAX_REFUSALS } from './rateLimiter.ts';
import { createSharedRateLimiter } from './sharedRateLimiter.ts';

describe('[spec: Limits/Request rate] Instances that share a store share the limit', () => {
  it('requests at one count at the other, until the minute is over', async () => {
    const database = await openStore({ dataFolder: null, databaseUrl: null });
    const clock = testClock(600_000);
    const instance = () =>
      createSharedRateLimiter(
        3,
        createRateCounter(database),
        clock,
        createRateLimiter(3, clock),
        (error) => assert.fail(String(error)),
      );
    const [one, other] = [instance(), instance()];
    assert.equal((await one.take('a')).remaining, 2);
    assert.equal((await other.take('a')).remaining, 1);
    assert.equal((await other.take('b')).remaining, 2);
    assert.equal((await one.take('a')).allowed, true);
    const refused = await other.take('a');
    assert.deepEqual(refused, {
      ...{ allowed: false, limit: 3, remaining: 0, resetSeconds: 60 },
      isFarOver: false,
    });
    clock.advance(60_000);
    assert.equal((await other.take('a')).allowed, true);
    await database.close();
  });

  it('a store that does not answer neither stops the service nor lifts the limit', async () => {
    const clock = testClock();
    const faults: unknown[] = [];
    const away = { hit: () => Promise.reject(new Error('away')) };
    const alone = createRateLimiter(1, clock);
    const limiter = createSharedRateLimiter(1, away, clock, alone, (error) => faults.push(error));
    assert.equal((await limiter.take('a')).allowed, true);
    assert.equal((await limiter.take('a')).allowed, false);
    assert.equal(faults.length, 2);
  });

  it('a client far over its limit costs no more statements until the minute is over', async () => {
    const clock = testClock(600_000);
    let statements = 0;
    const counter = {
      hit: (_key: string, windowMs: number, now: number) => {
        statements += 1;
        return Promise.resolve({ count: statements, resetAt: now - (now % windowMs) + windowMs });
      },
    };
    const alone = createRateLimiter(3, clock);
    const limiter = createSharedRateLimiter(3, counter, clock, alone, () => undefined);
    const most = 3 + MAX_REFUSALS + 1;
    for (let n = 1; n <= 200; n++) {
      const { allowed, isFarOver } = await limiter.take('a');
      assert.deepEqual([allowed, isFarOver], [n <= 3, n >= most]);
    }
    assert.equal(statements, most);
    clock.advance(60_000);
    await limiter.take('a');
    assert.equal(statements, most + 1);
  });
});
