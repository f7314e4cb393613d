import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import { parseServiceFile, type ServiceFile } from '../../src/machine/index.ts';
import { noPidNamespaces, PID_NAMESPACE } from '../support/namespaces.ts';
import { CliProcess, temporaryFolder } from './cliProcess.ts';

describe('svc-x402 facilitator on a network of its own, as on testnet', () => {
  const ledgerFolder = temporaryFolder();
  const folder = temporaryFolder();
  const sponsor = Keypair.random();
  const common = ['--json', '--log-level', 'warn', '--data-dir', folder.path];
  let ledger: CliProcess;
  let environment: Record<string, string> = {};

  const serviceIn = (path: string): ServiceFile | undefined =>
    parseServiceFile(readFileSync(join(path, 'service.json'), 'utf8'));

  before(async () => {
    ledger = new CliProcess(['ledger', '--port', '0', '--json', '--data-dir', ledgerFolder.path]);
    await ledger.event('serving');
    const network = serviceIn(ledgerFolder.path)?.network;
    assert.ok(network?.friendbotUrl);
    const funded = await fetch(`${network.friendbotUrl}?addr=${sponsor.publicKey()}`);
    assert.equal(funded.status, 200);
    environment = {
      STELLAR_RPC_URL: network.rpcUrl,
      SPONSOR_SECRET: sponsor.secret(),
      CHANNEL_SEED: 'channels of this test alone',
    };
  });
  after(async () => {
    await ledger.stop();
    ledgerFolder.remove();
    folder.remove();
  });

  it('does not start without the channels, and says which command creates them', async () => {
    const args = ['facilitator', '--port', '0', ...common];
    const { code, stderr } = await new CliProcess(args, environment).ended;
    assert.equal(code, 2);
    assert.match(stderr, /create-channels/);
    assert.ok(!stderr.includes(sponsor.secret()));
  });

  it('[spec: Limits/Channel pool] create-channels creates exactly the 50', async () => {
    const create = new CliProcess(['facilitator', 'create-channels', ...common], environment);
    const { created, existing, hash } = await create.event('created');
    assert.equal((created as string[]).length, 50);
    assert.deepEqual(existing, []);
    assert.match(String(hash), /^[0-9a-f]{64}$/);
    assert.equal((await create.ended).code, 0);
  });

  it('and nothing the second time', async () => {
    const create = new CliProcess(['facilitator', 'create-channels', ...common], environment);
    const { created, existing, hash } = await create.event('created');
    assert.deepEqual([created, (existing as string[]).length, hash], [[], 50, null]);
  });

  it('then it serves, and its discovery file names that network', async () => {
    const facilitator = new CliProcess(['facilitator', '--port', '0', ...common], environment);
    await facilitator.event('serving');
    const service = serviceIn(folder.path);
    assert.equal(service?.network.embedded, false);
    assert.equal(service.network.rpcUrl, environment['STELLAR_RPC_URL']);
    const supported = await fetch(`${service.facilitatorUrl}/supported`);
    const { signers } = (await supported.json()) as { signers: Record<string, string[]> };
    assert.equal(signers['stellar:*']?.length, 51);
    assert.ok(signers['stellar:*'].includes(sponsor.publicKey()));
    const { code, stderr } = await facilitator.stop('SIGTERM');
    assert.deepEqual([code, stderr], [0, '']);
  });

  it('[finding: K1] of two containers on one volume, the second is refused with a message', {
    skip: noPidNamespaces,
  }, async () => {
    const start = () =>
      new CliProcess(
        ['facilitator', '--port', '0', '--no-restart', ...common],
        environment,
        undefined,
        PID_NAMESPACE,
      );
    const first = start();
    await first.event('serving');
    const { code, stdout, stderr } = await start().ended;
    assert.equal(code, 2);
    assert.match(
      stderr,
      /process \d+ .*container.* holds .*\. Stop it, or choose another data folder/,
    );
    assert.doesNotMatch(stdout + stderr, /\n\s+at /);
    await first.stop('SIGKILL');
  });
});
