import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import { CliProcess, temporaryFolder } from './cliProcess.ts';

const serving = z.object({ facilitatorUrl: z.string(), network: z.object({ rpcUrl: z.string() }) });
/** A process rests once it was idle for five seconds. */
const RESTS_AFTER_MS = 7_000;
const PATIENCE_MS = 5_000;

describe('An idle service returns memory, and still answers', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());

  it('the facilitator and the network', async () => {
    const options = ['--ledger-port', '0', '--facilitator-port', '0', '--data-dir', folder.path];
    const service = new CliProcess(['dev', '--no-demo', '--in-memory', '--json', ...options]);
    const { facilitatorUrl, network } = z.parse(serving, await service.event('serving'));
    try {
      await pause(RESTS_AFTER_MS);
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const health = await fetch(`${facilitatorUrl}/health`, { signal });
      assert.equal(health.status, 200);
      const asked = await fetch(network.rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getHealth' }),
        signal,
      });
      assert.match(await asked.text(), /healthy/);
    } catch (error) {
      await service.stop('SIGKILL');
      throw error;
    }
    const { code, stderr } = await service.stop('SIGTERM');
    assert.equal(code, 0, stderr);
  });
});
