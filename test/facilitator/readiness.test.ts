import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Readiness } from '../../src/protocol/wire/index.ts';
import type { FacilitatorOptions } from '../../src/server/index.ts';
import { startFacilitator } from '../../src/server/index.ts';
import { facilitatorOptions, type LocalNetwork, startLocalNetwork } from '../support/localStack.ts';

describe('GET /ready', () => {
  let network: LocalNetwork;
  let folder: string;
  before(async () => {
    network = await startLocalNetwork();
    folder = mkdtempSync(join(tmpdir(), 'svc-ready-'));
  });
  after(async () => {
    await network.close();
    rmSync(folder, { recursive: true });
  });

  async function ask(options: Partial<FacilitatorOptions>) {
    const facilitator = await startFacilitator({ ...facilitatorOptions(network), ...options });
    try {
      const get = (path: string) => fetch(`${facilitator.url}${path}`);
      const ready = await get('/ready');
      return {
        ready: ready.status,
        body: (await ready.json()) as Readiness,
        health: (await get('/health')).status,
        metrics: await (await get('/metrics')).text(),
      };
    } finally {
      await facilitator.close();
    }
  }

  it('is 200 while payments are accepted, and knows the sponsor’s balance before the first', async () => {
    const { ready, body, metrics } = await ask({});
    assert.equal(ready, 200);
    assert.deepEqual(body, { status: 'ready', reasons: [] });
    const [, balance] = /^svc_x402_sponsor_balance_stroops (\S+)$/m.exec(metrics) ?? [];
    assert.ok(Number(balance) > 0, `${balance}`);
  });

  it('is 503 with a reason if the store is lost, while /health still answers', async () => {
    writeFileSync(join(folder, 'service.db'), '');
    writeFileSync(join(folder, 'service.db.settled'), '');
    const { ready, body, health } = await ask({ dataFolder: folder });
    assert.deepEqual([ready, health, body.status], [503, 200, 'not_ready']);
    assert.equal(body.reasons[0]?.code, 'store_unavailable');
    assert.match(body.reasons[0]?.message ?? '', /is empty, though settlements were kept in it/);
  });

  it('is 503 with a reason when the sponsor is below its floor', async () => {
    const { ready, body } = await ask({ sponsorFloorStroops: 10n ** 18n });
    assert.equal(ready, 503);
    assert.deepEqual(
      body.reasons.map(({ code }) => code),
      ['sponsor_below_floor'],
    );
  });
});
