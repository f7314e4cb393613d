import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { testClock } from '../../../test/support/testClock.ts';
import { type Channel, createChannelPool } from './channelPool.ts';
import { deriveChannelSecrets } from './channelSecrets.ts';
import { openSigner } from './signer.ts';

const channels: Channel[] = deriveChannelSecrets('seed of the pool tests').map((secret) => {
  const signer = openSigner(secret);
  assert.ok(signer !== undefined);
  return { signer, sequence: 1n, asOfLedger: 1 };
});

async function takeAll(pool: ReturnType<typeof createChannelPool>): Promise<Channel[]> {
  const taken = await Promise.all(channels.map(() => pool.acquire(1_000)));
  return taken.filter((channel) => channel !== undefined);
}

describe('The channel pool', () => {
  it('[spec: Limits/Channel pool] is exactly 50, not a minimum', () => {
    const clock = testClock();
    assert.throws(() => createChannelPool(channels.slice(1), clock), RangeError);
    assert.throws(() => createChannelPool([...channels, ...channels], clock), RangeError);
    assert.equal(createChannelPool(channels, clock).size, 50);
  });

  it('[spec: Settlement path/2] lends each account to one settlement at a time', async () => {
    const pool = createChannelPool(channels, testClock());
    const taken = await takeAll(pool);
    assert.equal(new Set(taken.map(({ signer }) => signer.address)).size, 50);
    assert.equal(pool.free, 0);
  });

  it('serves waiting settlements in order of arrival', async () => {
    const pool = createChannelPool(channels, testClock());
    const [first, second] = await takeAll(pool);
    assert.ok(first && second);
    const order: string[] = [];
    const waiting = ['a', 'b'].map((name) =>
      pool.acquire(1_000).then((channel) => {
        order.push(name);
        return channel;
      }),
    );
    pool.release(second);
    pool.release(first);
    assert.deepEqual(await Promise.all(waiting), [second, first]);
    assert.deepEqual(order, ['a', 'b']);
  });

  it('drops settlements that waited too long, and does not lend to them afterwards', async () => {
    const clock = testClock();
    const pool = createChannelPool(channels, clock);
    const [channel] = await takeAll(pool);
    assert.ok(channel);
    const late = pool.acquire(500);
    const patient = pool.acquire(2_000);
    clock.advance(600);
    assert.equal(await late, undefined);
    pool.release(channel);
    assert.equal(await patient, channel);
    assert.equal(pool.free, 0);
  });

  it('never lends a channel twice and never loses one, in any order of events', async () => {
    const steps = fc.array(fc.constantFrom('take', 'give', 'wait'), { maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(steps, fc.infiniteStream(fc.nat(49)), async (actions, picks) => {
        const clock = testClock();
        const pool = createChannelPool(channels, clock);
        const held = new Set<Channel>();
        for (const action of actions) {
          if (action === 'take') {
            void pool.acquire(100).then((channel) => {
              if (channel === undefined) return;
              assert.equal(held.has(channel), false);
              held.add(channel);
            });
          } else if (action === 'give') {
            const one = [...held][picks.next().value ?? 0];
            if (one !== undefined && held.delete(one)) pool.release(one);
          } else {
            clock.advance(60);
          }
          await Promise.resolve();
        }
        clock.advance(1_000);
        await new Promise((resolve) => setImmediate(resolve));
        assert.equal(pool.free + held.size, 50);
      }),
      { numRuns: 50 },
    );
  });
});
