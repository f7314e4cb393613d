import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { PERIODS } from './periods.ts';
import { createPoller } from './poller.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('polling', () => {
  it('reads only while a view is visible, one read at a time', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    let reads = 0;
    const poller = createPoller({
      everyMs: 1_000,
      read: async () => {
        reads += 1;
      },
    });
    poller.refresh();
    mock.timers.tick(10_000);
    assert.equal(reads, 0);
    poller.setVisible(true);
    assert.equal(reads, 1);
    await turn();
    mock.timers.tick(1_000);
    assert.equal(reads, 2);
    await turn();
    poller.setVisible(false);
    mock.timers.tick(60_000);
    assert.equal(reads, 2);
    poller.setVisible(true);
    assert.equal(reads, 3);
    poller.dispose();
    mock.timers.reset();
  });

  it('waits longer after each failure, and reads at once on request', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    let reads = 0;
    const poller = createPoller({
      everyMs: 1_000,
      read: async () => {
        reads += 1;
        throw new Error('no');
      },
    });
    poller.setVisible(true);
    for (const wait of [1_250, 2_500, 5_000]) {
      await turn();
      mock.timers.tick(wait);
    }
    const failed = reads;
    assert.ok(failed <= 4 && failed >= 2, String(failed));
    await turn();
    mock.timers.tick(1_000);
    assert.equal(reads, failed);
    poller.refresh();
    assert.equal(reads, failed + 1);
    poller.dispose();
    mock.timers.reset();
  });

  it('a read that is repeated or no longer needed is cancelled', async () => {
    const signals: AbortSignal[] = [];
    const poller = createPoller({
      everyMs: 1_000,
      read: (signal) => {
        signals.push(signal);
        return new Promise(() => {});
      },
    });
    poller.setVisible(true);
    poller.refresh();
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true, false],
    );
    poller.setVisible(false);
    assert.equal(signals[1]?.aborted, true);
    poller.dispose();
  });

  it('[spec: Editor sidebar/Polling] wallet and settlements every 30 seconds, endpoints every 60', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const reads = { wallet: 0, settlements: 0, endpoints: 0 };
    const views = ['wallet', 'settlements', 'endpoints'] as const;
    const pollers = views.map((view) =>
      createPoller({
        everyMs: PERIODS[view],
        read: async () => {
          reads[view] += 1;
        },
      }),
    );
    for (const poller of pollers) poller.setVisible(true);
    for (const expected of [
      { after: 29_999, wallet: 1, settlements: 1, endpoints: 1 },
      { after: 1, wallet: 2, settlements: 2, endpoints: 1 },
      { after: 29_999, wallet: 2, settlements: 2, endpoints: 1 },
      { after: 1, wallet: 3, settlements: 3, endpoints: 2 },
    ]) {
      await turn();
      const { after, ...counts } = expected;
      mock.timers.tick(after);
      assert.deepEqual(reads, counts);
    }
    for (const poller of pollers) poller.dispose();
    mock.timers.reset();
  });
});
