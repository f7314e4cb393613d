import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { type RunningLedger, startLedger } from '../../src/index.ts';

describe('ledgers and time are moved by hand', () => {
  let ledger: RunningLedger;
  const latest = async (): Promise<{ sequence: number; closeTime: string }> =>
    (await ledger.call('getLatestLedger')) as { sequence: number; closeTime: string };

  before(async () => {
    ledger = await startLedger({ port: null, close: { kind: 'manual' } });
  });
  after(() => ledger.close());

  it('svc_closeLedger closes one', async () => {
    const { sequence } = await latest();
    const closed = await ledger.control('svc_closeLedger');
    assert.equal(closed.ledger, sequence + 1);
    assert.equal((await latest()).sequence, sequence + 1);
  });

  it('svc_advanceLedgers closes as many as asked for', async () => {
    const { sequence } = await latest();
    const closed = await ledger.control('svc_advanceLedgers', { count: 250 });
    assert.equal(closed.ledger, sequence + 250);
  });

  it('svc_advanceTime makes the next ledger close that much later, and time continues from there', async () => {
    const { closeTime } = await latest();
    const closed = await ledger.control('svc_advanceTime', { seconds: 86_400 });
    assert.ok(closed.closeTime >= Number(closeTime) + 86_400);
    assert.ok(closed.closeTime <= Number(closeTime) + 86_410);
    const next = await ledger.control('svc_closeLedger');
    assert.ok(next.closeTime >= closed.closeTime && next.closeTime <= closed.closeTime + 10);
  });

  it('svc_setCloseMode decides when ledgers close', async () => {
    await ledger.control('svc_setCloseMode', { mode: 'interval', milliseconds: 10 });
    const { sequence } = await latest();
    const end = Date.now() + 60_000;
    while ((await latest()).sequence < sequence + 3 && Date.now() < end) {
      await setTimeout(10);
    }
    assert.ok((await latest()).sequence >= sequence + 3);
    await ledger.control('svc_setCloseMode', { mode: 'manual' });
    const still = await latest();
    await setTimeout(60);
    assert.deepEqual(await latest(), still);
  });
});

describe('a call that closes many ledgers', () => {
  it('stops soon after its client has left', async () => {
    // A history that keeps more than are asked for: else most of them would be skipped.
    const retainedLedgers = 2_000_000;
    const ledger = await startLedger({ port: 0, close: { kind: 'manual' }, retainedLedgers });
    try {
      const latest = async () =>
        ((await ledger.call('getLatestLedger')) as { sequence: number }).sequence;
      const request = { jsonrpc: '2.0', id: 1, method: 'svc_advanceLedgers' };
      const start = await latest();
      const left = new AbortController();
      const call = fetch(ledger.urls?.control ?? '', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ ...request, params: { count: 1_000_000 } }),
        signal: left.signal,
      });
      while ((await latest()) === start) await setTimeout(10);
      left.abort();
      await assert.rejects(call);
      // It closes hundreds of ledgers in each 100 ms until it notices.
      let stopped = await latest();
      for (let still = 0; still < 5; ) {
        await setTimeout(100);
        const now = await latest();
        still = now === stopped ? still + 1 : 0;
        stopped = now;
      }
      assert.ok(stopped < start + 1_000_000);
    } finally {
      await ledger.close();
    }
  });
});

describe('time that was moved forward stays moved after a restart', () => {
  const folder = mkdtempSync(join(tmpdir(), 'moved-time-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('and continues from the last ledger', async () => {
    const options = { dataFolder: folder, port: null, close: { kind: 'manual' } } as const;
    const first = await startLedger(options);
    const { closeTime } = await first.control('svc_advanceTime', { seconds: 1_000_000 });
    await first.close();
    const second = await startLedger(options);
    await setTimeout(1_100);
    const next = await second.control('svc_closeLedger');
    await second.close();
    assert.ok(next.closeTime > closeTime && next.closeTime < closeTime + 60);
  });
});
