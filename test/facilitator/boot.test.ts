import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Readiness } from '../../src/protocol/wire/index.ts';
import {
  ConfigError,
  createChannels,
  deriveChannelSecrets,
  type FacilitatorOptions,
  type Logger,
  startFacilitator,
} from '../../src/server/index.ts';
import { openAccount } from '../support/accounts.ts';
import { startFaultyRpc } from '../support/faultyRpc.ts';
import { facilitatorOptions, type LocalNetwork, startLocalNetwork } from '../support/localStack.ts';
import { post } from '../support/post.ts';

async function refusal(options: FacilitatorOptions): Promise<string> {
  try {
    await (await startFacilitator(options)).close();
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    return error.problems.join('\n');
  }
  return assert.fail('it started');
}

describe('The facilitator starts only if it can serve', () => {
  let local: LocalNetwork;
  let right: FacilitatorOptions;
  before(async () => {
    local = await startLocalNetwork();
    right = facilitatorOptions(local);
  });
  after(() => local.close());

  it('[spec: What the service does/7] not on a network with another passphrase', async () => {
    const other = await startLocalNetwork({ passphrase: 'Some Private Network' });
    try {
      const problem = await refusal(facilitatorOptions(other));
      assert.match(problem, /"Some Private Network"\. Only the test network is supported/);
    } finally {
      await other.close();
    }
  });

  it('[spec: Limits/Channel pool] not with 49 channels', async () => {
    const { channels } = local.ledger.accounts;
    const secrets = channels.slice(1).map(({ secret }) => secret);
    assert.match(await refusal({ ...right, channels: { secrets } }), /must have exactly 50/);
  });

  it('not when channels do not exist on the ledger: it says how to create them', async () => {
    const seed = 'nobody has created these';
    assert.match(await refusal({ ...right, channels: { seed } }), /50 of the 50 .*create-channels/);
  });

  it('not when the sponsor does not exist', async () => {
    const [sponsorSecret = ''] = deriveChannelSecrets('a sponsor that nobody funded');
    assert.match(await refusal({ ...right, sponsorSecret }), /sponsor G\w+ does not exist/);
  });

  it('while the ledger does not answer, it says so, and it serves once it does', async () => {
    const rpc = await startFaultyRpc(local.rpcUrl);
    rpc.fault(() => 'reset');
    const lines: string[] = [];
    const logger: Logger = {
      ...{ debug: () => {}, info: () => {}, error: () => {} },
      warn: (_, message) => lines.push(message),
    };
    const running = await startFacilitator({ ...right, rpcUrl: rpc.url, logger });
    try {
      const get = (path: string) => fetch(`${running.url}${path}`);
      assert.equal((await get('/health')).status, 200);
      const ready = await get('/ready');
      const { reasons } = (await ready.json()) as Readiness;
      assert.equal(ready.status, 503);
      assert.equal(reasons[0]?.code, 'starting');
      assert.match(reasons[0]?.message ?? '', /getNetwork/);
      const settle = await post(running.url, '/settle', {});
      assert.deepEqual([settle.status, settle.body.reason], [503, 'not_ready']);
      rpc.heal();
      while ((await get('/ready')).status !== 200) await pause(50);
      assert.equal((await get('/supported')).status, 200);
      assert.match(lines.join(), /cannot serve yet; will retry/);
    } finally {
      await running.close();
      await rpc.close();
    }
  });

  it('settings that show to be wrong later end it, and a start that waits can be closed', async () => {
    const rpc = await startFaultyRpc(local.rpcUrl);
    rpc.fault(() => 'reset');
    const waiting = await startFacilitator({ ...right, rpcUrl: rpc.url });
    await waiting.close();
    const wrong = await startFacilitator({
      ...{ ...right, rpcUrl: rpc.url, channels: { seed: 'nobody has created these' } },
    });
    rpc.heal();
    await assert.rejects(wrong.failed, ConfigError);
    await wrong.close();
    await rpc.close();
  });

  it('over https, if it has a certificate to trust', async () => {
    const { urls, certificateAuthority } = local.ledger;
    assert.ok(urls && certificateAuthority);
    const rpcCertificateAuthority = certificateAuthority.pem;
    const running = await startFacilitator({
      ...right,
      rpcUrl: urls.rpcTls,
      rpcCertificateAuthority,
    });
    const health = await fetch(`${running.url}/health`);
    assert.equal(health.status, 200);
    await running.close();
    const untrusting = await startFacilitator({ ...right, rpcUrl: urls.rpcTls });
    assert.equal((await fetch(`${untrusting.url}/ready`)).status, 503);
    await untrusting.close();
  });

  it('and prepares for the first payment without waiting for it: one simulation, nothing sent', async () => {
    const rpc = await startFaultyRpc(local.rpcUrl);
    let answer: (() => void) | undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    rpc.hold((method) => (method === 'simulateTransaction' ? held : undefined));
    const running = await startFacilitator({ ...right, rpcUrl: rpc.url });
    assert.equal((await fetch(`${running.url}/health`)).status, 200);
    while (!rpc.calls.includes('simulateTransaction')) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    answer?.();
    await running.close();
    await rpc.close();
    assert.equal(rpc.calls.filter((method) => method === 'simulateTransaction').length, 1);
    assert.ok(!rpc.calls.includes('sendTransaction'));
  });

  describe('and on a port', () => {
    it('that is in use it refuses to start, or moves if configured', async () => {
      const holder = http.createServer();
      await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
      const { port } = holder.address() as AddressInfo;
      try {
        await assert.rejects(startFacilitator({ ...right, port }), { code: 'EADDRINUSE' });
        const moved = await startFacilitator({ ...right, port, busyPort: 'move' });
        assert.notEqual(moved.port, port);
        await moved.close();
      } finally {
        holder.close();
      }
    });
  });

  describe('create-channels', () => {
    it('creates and funds the 50 from the sponsor, once', async () => {
      const sponsor = await openAccount(local, 'a new sponsor');
      const secrets = {
        sponsorSecret: sponsor.secret,
        channels: { seed: 'channels of a new facilitator' },
      };
      const first = await createChannels({ rpcUrl: local.rpcUrl, ...secrets });
      assert.equal(first.created.length, 50);
      assert.match(first.hash ?? '', /^[0-9a-f]{64}$/);
      const second = await createChannels({ rpcUrl: local.rpcUrl, ...secrets });
      assert.deepEqual(
        { created: second.created, existing: second.existing, hash: second.hash },
        { created: [], existing: first.created, hash: null },
      );
      const running = await startFacilitator({ rpcUrl: local.rpcUrl, ...secrets, port: 0 });
      await running.close();
    });

    it('says what a sponsor needs that cannot pay for them', async () => {
      const sponsor = await openAccount(local, 'a poor sponsor');
      const options = {
        rpcUrl: local.rpcUrl,
        sponsorSecret: sponsor.secret,
        channels: { seed: 'channels of a poor facilitator' },
        startingBalanceStroops: 10_000_000_000n,
      };
      await assert.rejects(createChannels(options), /holds \d+ stroops and needs more than/);
    });
  });
});
