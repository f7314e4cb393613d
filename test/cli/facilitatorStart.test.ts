import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Readiness } from '../../src/protocol/wire/index.ts';
import { freePort, postgresMissing, startPrivatePostgres } from '../store/privatePostgres.ts';
import { type LocalNetwork, startLocalNetwork } from '../support/localStack.ts';
import { CliProcess, temporaryFolder } from './cliProcess.ts';

describe('svc-x402 facilitator, when something that it needs is not there yet', () => {
  const folder = temporaryFolder();
  let local: LocalNetwork;
  let environment: Readonly<Record<string, string>>;
  before(async () => {
    local = await startLocalNetwork();
    const { sponsor, channels } = local.ledger.accounts;
    environment = {
      STELLAR_RPC_URL: local.rpcUrl,
      SPONSOR_SECRET: sponsor.secret,
      CHANNEL_SECRETS: channels.map(({ secret }) => secret).join(' '),
      SVC_X402_DATA_DIR: folder.path,
    };
  });
  after(async () => {
    await local.close();
    folder.remove();
  });

  async function start(more: Readonly<Record<string, string>>) {
    const port = await freePort();
    const args = ['facilitator', '--no-restart', '--json', '--port', `${port}`];
    const started = new CliProcess(args, { ...environment, ...more });
    return { started, url: `http://127.0.0.1:${port}` };
  }

  /** Waits for an answer of `/ready`. */
  async function readyAt(url: string): Promise<Readiness> {
    for (let attempt = 1; ; attempt++) {
      try {
        return (await (await fetch(`${url}/ready`)).json()) as Readiness;
      } catch (error) {
        if (attempt > 200) throw error;
        await pause(50);
      }
    }
  }

  it('waits for a database that is down, says so, and serves once it is up', {
    skip: postgresMissing ?? false,
  }, async () => {
    const postgres = await startPrivatePostgres();
    try {
      const DATABASE_URL = await postgres.createDatabase();
      await postgres.stop();
      const { started, url } = await start({ DATABASE_URL });
      const { reasons } = await readyAt(url);
      assert.equal(reasons[0]?.code, 'starting');
      assert.match(reasons[0]?.message ?? '', /database cannot be reached/);
      assert.equal((await fetch(`${url}/health`)).status, 200);
      await postgres.start();
      await started.event('serving');
      assert.equal((await readyAt(url)).status, 'ready');
      assert.equal((await started.stop('SIGTERM')).code, 0);
    } finally {
      await postgres.close();
    }
  });

  it('waits for an RPC server, and stops when it is asked to', async () => {
    const { started, url } = await start({ STELLAR_RPC_URL: 'http://127.0.0.1:9' });
    assert.equal((await readyAt(url)).reasons[0]?.code, 'starting');
    const { code, stdout, stderr } = await started.stop('SIGTERM');
    assert.equal(code, 0);
    assert.doesNotMatch(stdout, /"event":"serving"/);
    assert.match(stderr, /cannot serve yet; will retry/);
    assert.match(stderr, /127\.0\.0\.1:9/);
    assert.doesNotMatch(stderr, /\n {4}at /);
  });

  it('ends with 2 for settings alone', async () => {
    for (const more of [
      { STELLAR_RPC_URL: `${local.rpcUrl}, not a URL` },
      { CHANNEL_SECRETS: '', CHANNEL_SEED: 'nobody has created these' },
      { SPONSOR_SECRET: 'abc' },
    ]) {
      const { started } = await start(more);
      assert.equal((await started.ended).code, 2, JSON.stringify(more));
    }
  });
});
