import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, describe, it } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import * as z from 'zod/mini';
import { CliProcess, temporaryFolder } from './cliProcess.ts';

const servingEvent = z.object({ network: z.object({ horizonUrl: z.string() }) });
const answer = z.object({
  result: z.optional(z.looseObject({})),
  error: z.optional(z.object({ code: z.number(), message: z.string() })),
});

const canLimit = spawnSync('prlimit', ['--version']).status === 0;

/** Limits the size of the files that a process writes: a longer write fails, as on a full disk. */
function limitFiles(pid: number, bytes: number | 'unlimited'): void {
  const { status, stderr } = spawnSync('prlimit', [`--pid=${pid}`, `--fsize=${bytes}:unlimited`]);
  assert.equal(status, 0, String(stderr));
}

describe('A network whose disk is full', { skip: canLimit ? false : 'needs prlimit' }, () => {
  const folder = temporaryFolder();
  const started: CliProcess[] = [];
  after(async () => {
    await Promise.all(started.map((ledger) => ledger.stop('SIGKILL')));
    folder.remove();
  });
  const start = () => {
    const ledger = new CliProcess(['ledger', '--port', '0', '--json', '--data-dir', folder.path]);
    started.push(ledger);
    return ledger;
  };
  const serving = async (ledger: CliProcess): Promise<string> =>
    z.parse(servingEvent, await ledger.event('serving')).network.horizonUrl;

  async function call(url: string, path: string, method: string, params: object = {}) {
    const response = await fetch(`${url}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return z.parse(answer, await response.json());
  }

  it('says so, keeps answering, and continues once there is room', async () => {
    const ledger = start();
    const url = await serving(ledger);
    const holder = Keypair.random().publicKey();
    const hold = (amount: string) =>
      call(url, 'control', 'svc_setBalance', { account: holder, asset: 'native', amount });
    const health = () => call(url, 'rpc', 'getHealth');
    const latest = async () => (await call(url, 'rpc', 'getLatestLedger')).result?.['sequence'];
    assert.ok((await hold('7')).result);
    const snapshot = await call(url, 'control', 'svc_snapshot');
    const sequence = await latest();

    limitFiles(ledger.pid, 1);
    const refused = await hold('8');
    const expected =
      /^Ledger \d+ could not be stored \(.*EFBIG.*\)\. The network stays at ledger \d+ /;
    assert.match(refused.error?.message ?? '', expected);
    assert.match((await health()).error?.message ?? '', expected);
    const horizon = await fetch(`${url}/health`);
    assert.equal(horizon.status, 503);
    assert.equal(((await horizon.json()) as { core_synced: boolean }).core_synced, false);
    assert.equal(await latest(), sequence);
    const account = await fetch(`${url}/accounts/${holder}`);
    assert.match(await account.text(), /"balance": "7.0000000"/);
    assert.equal(
      (await fetch(`${url}/friendbot?addr=${Keypair.random().publicKey()}`)).status,
      503,
    );
    assert.ok((await call(url, 'control', 'svc_dumpState')).result);

    limitFiles(ledger.pid, 'unlimited');
    const { id } = snapshot.result ?? {};
    assert.ok((await call(url, 'control', 'svc_revert', { id })).result);
    assert.equal((await health()).result?.['status'], 'healthy');
    assert.ok((await hold('9')).result);
    assert.ok((await call(url, 'control', 'svc_reset')).result);
    assert.ok((await hold('10')).result);
    const { code, stderr } = await ledger.stop('SIGTERM');
    assert.equal(code, 0, stderr);
    assert.doesNotMatch(stderr, /^\s+at /m);

    const next = start();
    const again = await fetch(`${await serving(next)}/accounts/${holder}`);
    assert.match(await again.text(), /"balance": "10.0000000"/);

    // The stored ledgers are safe, even if the disk is full again when the network stops.
    limitFiles(next.pid, 1);
    await next.stop('SIGTERM');
    const last = start();
    const kept = await fetch(`${await serving(last)}/accounts/${holder}`);
    assert.match(await kept.text(), /"balance": "10.0000000"/);
    assert.equal((await last.stop('SIGTERM')).code, 0);
  });
});
