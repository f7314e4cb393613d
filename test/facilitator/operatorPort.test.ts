import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type Drained,
  drainedSchema,
  type OperatorStatus,
  operatorStatusSchema,
  type Readiness,
} from '../../src/protocol/wire/index.ts';
import { createChannels, startFacilitator } from '../../src/server/index.ts';
import { openAccount } from '../support/accounts.ts';
import { startFaultyRpc } from '../support/faultyRpc.ts';
import { facilitatorOptions, type LocalNetwork, startLocalNetwork } from '../support/localStack.ts';

const TOKEN = 'token of the operator in this test';
const PROXIED = { 'x-forwarded-for': '203.0.113.9' };

interface LogLine {
  readonly message: string;
  readonly fields: object;
}

/** A logger that keeps warnings. */
function keptWarnings() {
  const lines: LogLine[] = [];
  const none = () => undefined;
  const warn = (fields: object, message: string) => void lines.push({ fields, message });
  return { lines, logger: { debug: none, info: none, warn, error: none } };
}

describe('The operator’s routes', () => {
  let network: LocalNetwork;
  before(async () => {
    network = await startLocalNetwork();
  });
  after(() => network.close());

  const start = (options: object = {}) =>
    startFacilitator({ ...facilitatorOptions(network), operatorToken: TOKEN, ...options });

  const ask = (url: string, path: string, init: RequestInit = {}) =>
    fetch(`${url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${TOKEN}`, ...init.headers },
    });

  async function statusOf(url: string): Promise<OperatorStatus> {
    return operatorStatusSchema.parse(await (await ask(url, '/operator/status')).json());
  }

  async function drain(url: string, query = ''): Promise<Drained> {
    const answer = await ask(url, `/operator/drain${query}`, { method: 'POST' });
    return drainedSchema.parse(await answer.json());
  }

  it('[finding: O8] without a port of their own, metrics are for this machine and not for what a proxy forwards', async () => {
    const facilitator = await start();
    try {
      for (const path of ['/metrics', '/operator/status', '/operator/catalog']) {
        assert.equal((await ask(facilitator.url, path)).status, 200, path);
        const forwarded = await ask(facilitator.url, path, { headers: PROXIED });
        assert.equal(forwarded.status, 404, path);
        assert.equal(((await forwarded.json()) as { reason: string }).reason, 'not_found');
      }
    } finally {
      await facilitator.close();
    }
  });

  it('[finding: O8] with a port of their own, they are only there, beside the probes', async () => {
    const facilitator = await start({ operatorPort: 0 });
    try {
      const { url, operatorUrl = '' } = facilitator;
      assert.notEqual(operatorUrl, '');
      for (const path of ['/metrics', '/operator/status']) {
        assert.equal((await ask(url, path)).status, 404, path);
        assert.equal((await ask(operatorUrl, path)).status, 200, path);
      }
      for (const path of ['/health', '/ready']) {
        assert.equal((await fetch(`${url}${path}`)).status, 200, path);
        assert.equal((await fetch(`${operatorUrl}${path}`)).status, 200, path);
      }
      for (const path of ['/supported', '/discovery/resources', '/settlements', '/']) {
        assert.equal((await fetch(`${operatorUrl}${path}`)).status, 404, path);
      }
      const text = await (await fetch(`${operatorUrl}/metrics`)).text();
      assert.match(text, /^svc_x402_channels 50$/m);
    } finally {
      await facilitator.close();
    }
  });

  it('[finding: O8] show metrics while the service cannot serve yet', async () => {
    const dead = { rpcUrl: 'http://127.0.0.1:9' };
    const apart = await start({ ...dead, operatorPort: 0 });
    const together = await start(dead);
    try {
      for (const url of [apart.operatorUrl ?? '', together.url]) {
        const answer = await ask(url, '/metrics');
        assert.equal(answer.status, 200);
        assert.match(await answer.text(), /svc_x402_rpc_call_seconds_count\{method="getNetwork"/);
        assert.equal((await ask(url, '/ready')).status, 503);
      }
      assert.equal((await ask(apart.url, '/metrics')).status, 503);
      assert.equal((await ask(together.url, '/metrics', { headers: PROXIED })).status, 503);
    } finally {
      await Promise.all([apart.close(), together.close()]);
    }
  });

  it('need the operator’s token, also on a port of their own, and never a web page', async () => {
    const facilitator = await start({ operatorPort: 0 });
    try {
      const { operatorUrl = '' } = facilitator;
      const status = `${operatorUrl}/operator/status`;
      assert.equal((await fetch(status)).status, 403);
      assert.equal((await fetch(`${operatorUrl}/operator/drain`, { method: 'POST' })).status, 403);
      const page = { origin: 'http://localhost:3000' };
      assert.equal((await ask(operatorUrl, '/operator/status', { headers: page })).status, 403);
    } finally {
      await facilitator.close();
    }
  });

  it('report open settlements, channels, sponsor, RPC server and lease', async () => {
    const facilitator = await start();
    try {
      const status = await statusOf(facilitator.url);
      const { settlements, channels, sponsor, rpc, lease, readiness } = status;
      assert.deepEqual(settlements, { here: 0, open: 0, listed: [] });
      assert.deepEqual(channels, { total: 50, free: 50 });
      assert.equal(sponsor.address, network.ledger.accounts.sponsor.address);
      assert.equal(sponsor.floor, '100000000');
      assert.ok(rpc.latestLedger !== null && rpc.latestLedger > 0);
      assert.ok(rpc.calls > 0);
      assert.equal(rpc.failed, 0);
      assert.deepEqual([lease.held, lease.shared, lease.instances], [true, false, 1]);
      assert.equal(readiness.status, 'ready');
    } finally {
      await facilitator.close();
    }
  });

  it('say that the RPC server does not answer, by a call of that moment', async () => {
    const rpc = await startFaultyRpc(network.rpcUrl);
    const facilitator = await start({ rpcUrl: rpc.url });
    try {
      await rpc.close();
      const status = await statusOf(facilitator.url);
      assert.equal(status.rpc.latestLedger, null);
      assert.match(status.rpc.failure ?? '', /^(unreachable|timeout|interrupted)$/);
    } finally {
      await facilitator.close();
    }
  });

  it('drain an instance: /ready is 503 while it still answers, until it is resumed', async () => {
    const facilitator = await start();
    const ready = async () => {
      const answer = await fetch(`${facilitator.url}/ready`);
      const { reasons } = (await answer.json()) as { reasons: { code: string }[] };
      return [answer.status, ...reasons.map(({ code }) => code)];
    };
    try {
      const drained = await drain(facilitator.url);
      assert.deepEqual([drained.draining, drained.here], [true, 0]);
      assert.deepEqual(await ready(), [503, 'draining']);
      assert.equal((await fetch(`${facilitator.url}/supported`)).status, 200);
      const { idleMs } = await drain(facilitator.url);
      assert.ok(idleMs < 1_000, `a request arrived just now: ${idleMs}`);
      // A status that somebody watches does not keep the instance busy.
      await new Promise((wait) => setTimeout(wait, 300));
      for (const path of ['/', '/health', '/ready', '/metrics'])
        await fetch(facilitator.url + path);
      assert.ok((await drain(facilitator.url)).idleMs >= 300);
      assert.equal((await statusOf(facilitator.url)).draining, true);
      assert.equal((await drain(facilitator.url, '?resume=true')).draining, false);
      assert.deepEqual(await ready(), [200]);
    } finally {
      await facilitator.close();
    }
  });

  it('drain an instance that cannot serve yet, which stays drained when it can', async () => {
    for (const operatorPort of [0, undefined]) {
      const rpc = await startFaultyRpc(network.rpcUrl);
      rpc.fault(() => 'reset');
      const facilitator = await start({
        rpcUrl: rpc.url,
        ...(operatorPort === undefined ? {} : { operatorPort }),
      });
      const { url, operatorUrl = url } = facilitator;
      const ready = async () => {
        const { reasons } = (await (await fetch(`${url}/ready`)).json()) as Readiness;
        return reasons.map(({ code }) => code).join();
      };
      try {
        const bare = await fetch(`${operatorUrl}/operator/drain`, { method: 'POST' });
        assert.equal(bare.status, 403);
        assert.equal((await drain(operatorUrl)).draining, true);
        assert.equal(await ready(), 'starting,draining');
        assert.equal((await drain(operatorUrl, '?resume=true')).draining, false);
        assert.equal(await ready(), 'starting');
        assert.equal((await drain(operatorUrl)).here, 0);
        rpc.heal();
        await facilitator.opened;
        assert.equal(await ready(), 'draining');
        assert.equal((await drain(operatorUrl, '?resume=true')).draining, false);
        assert.equal(await ready(), '');
      } finally {
        await facilitator.close();
        await rpc.close();
      }
    }
  });

  it('warn at the start about addresses that anybody may claim', async () => {
    const { lines, logger } = keptWarnings();
    const facilitator = await start({ host: '0.0.0.0', trustedProxyHops: 1, logger });
    await facilitator.close();
    assert.ok(lines.some(({ message }) => /TRUSTED_PROXIES/.test(message)));
  });

  it('[finding: D3] warn about channels that another account created', async () => {
    const channels = { seed: 'channels that two operators share' };
    const { rpcUrl } = network;
    const first = await openAccount(network, 'the first operator');
    const made = await createChannels({ rpcUrl, sponsorSecret: first.secret, channels });
    assert.deepEqual([made.created.length, made.warning], [50, null]);
    const again = await createChannels({ rpcUrl, sponsorSecret: first.secret, channels });
    assert.deepEqual([again.existing.length, again.warning], [50, null]);

    const second = await openAccount(network, 'the second operator');
    const shared = await createChannels({ rpcUrl, sponsorSecret: second.secret, channels });
    assert.deepEqual([shared.created.length, shared.existing.length], [0, 50]);
    assert.match(shared.warning ?? '', /50 channel accounts were created by another account/);

    const { lines, logger } = keptWarnings();
    const facilitator = await start({ sponsorSecret: second.secret, channels, logger });
    await facilitator.close();
    assert.ok(lines.some(({ message }) => /openssl rand -hex 32/.test(message)));
  });
});
