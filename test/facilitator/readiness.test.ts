import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Readiness } from '../../src/protocol/wire/index.ts';
import type { FacilitatorOptions } from '../../src/server/index.ts';
import { startFacilitator } from '../../src/server/index.ts';
import { startFaultyRpc } from '../support/faultyRpc.ts';
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

  const readyAt = async (url: string): Promise<Readiness> =>
    (await (await fetch(`${url}/ready`)).json()) as Readiness;

  /** Waits until `/ready` gives these codes. @returns milliseconds that it took */
  async function until(url: string, codes: readonly string[]): Promise<number> {
    const begun = performance.now();
    for (;;) {
      const { reasons } = await readyAt(url);
      if (reasons.map(({ code }) => code).join() === codes.join()) return performance.now() - begun;
      assert.ok(performance.now() - begun < 20_000, JSON.stringify(reasons));
      await pause(100);
    }
  }

  it('is 503 within ten seconds if the RPC server dies or is unhealthy, and 200 once it serves again', async () => {
    const rpc = await startFaultyRpc(network.rpcUrl);
    const facilitator = await startFacilitator({ ...facilitatorOptions(network), rpcUrl: rpc.url });
    try {
      const { url } = facilitator;
      await until(url, []);
      for (const fault of ['hang', 'reset'] as const) {
        rpc.fault(() => fault);
        assert.ok((await until(url, ['rpc_unavailable'])) < 10_000);
        assert.equal((await fetch(`${url}/health`)).status, 200);
        rpc.heal();
        assert.ok((await until(url, [])) < 10_000);
      }
      const error = { code: -32_603, message: 'latency (45s) since last known ledger closed' };
      rpc.fault((method) => (method === 'getHealth' ? { error } : undefined));
      assert.ok((await until(url, ['rpc_unavailable'])) < 10_000);
      assert.match((await readyAt(url)).reasons[0]?.message ?? '', /latency \(45s\)/);
    } finally {
      await facilitator.close();
      await rpc.close();
    }
  });

  it('stays 200 while one of two RPC servers is dead', async () => {
    const rpc = await startFaultyRpc(network.rpcUrl);
    const options = { ...facilitatorOptions(network), rpcUrl: rpc.url };
    const facilitator = await startFacilitator({ ...options, otherRpcUrls: [network.rpcUrl] });
    try {
      rpc.fault(() => 'hang');
      for (let second = 0; second < 12; second++) {
        assert.deepEqual((await readyAt(facilitator.url)).reasons, []);
        await pause(1_000);
      }
    } finally {
      await facilitator.close();
      await rpc.close();
    }
  });

  it('answers probes of HTTP/1.0 without a Host, as /health does', async () => {
    const facilitator = await startFacilitator(facilitatorOptions(network));
    const ask = (text: string): Promise<string> =>
      new Promise((resolve, reject) => {
        let answer = '';
        const socket = connect(facilitator.port, '127.0.0.1', () => socket.write(text));
        socket.on('data', (bytes) => {
          answer += bytes.toString();
        });
        socket.on('close', () => resolve(answer.split('\r\n', 1)[0] ?? ''));
        socket.on('error', reject);
      });
    try {
      for (const path of ['/health', '/ready', '/ready?from=haproxy']) {
        for (const method of ['GET', 'HEAD']) {
          assert.match(await ask(`${method} ${path} HTTP/1.0\r\n\r\n`), /^HTTP\/1\.[01] 200/);
        }
      }
      const close = 'connection: close\r\n\r\n';
      assert.match(await ask(`GET /supported HTTP/1.0\r\n${close}`), / 400 /);
      assert.match(await ask(`GET /health HTTP/1.1\r\n${close}`), / 400 /);
    } finally {
      await facilitator.close();
    }
  });
});
