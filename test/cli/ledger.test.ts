import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import * as z from 'zod/mini';
import { CliProcess, temporaryFolder } from './cliProcess.ts';

const accountsEvent = z.object({
  balance: z.string(),
  accounts: z.array(z.object({ address: z.string(), secret: z.string() })),
});
const servingEvent = z.object({ network: z.object({ horizonUrl: z.string() }) });

/** XLM of an account, by Horizon. */
async function balanceAt(horizon: string, address: string): Promise<string | undefined> {
  const response = await fetch(`${horizon}/accounts/${address}`);
  if (response.status === 404) return undefined;
  const { balances } = z.parse(
    z.object({ balances: z.array(z.object({ asset_type: z.string(), balance: z.string() })) }),
    await response.json(),
  );
  return balances.find((one) => one.asset_type === 'native')?.balance;
}

describe('svc-x402 ledger --accounts', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());
  const common = ['ledger', '--in-memory', '--port', '0', '--data-dir', folder.path];
  const withAccounts = [...common, '--accounts', '2', '--balance', '12.5', '--seed', 'my suite'];

  it('prints funded accounts with their secrets, the same ones for the same seed', async () => {
    const first = new CliProcess([...withAccounts, '--json']);
    const { balance, accounts } = z.parse(accountsEvent, await first.event('accounts'));
    const { network } = z.parse(servingEvent, await first.event('serving'));
    assert.equal(balance, '12.5');
    assert.equal(accounts.length, 2);
    for (const { address, secret } of accounts) {
      assert.equal(Keypair.fromSecret(secret).publicKey(), address);
      assert.equal(await balanceAt(network.horizonUrl, address), '12.5000000');
    }
    const { code, stderr } = await first.stop('SIGTERM');
    assert.equal(code, 0, stderr);
    for (const { secret } of accounts) assert.ok(!stderr.includes(secret));

    const again = new CliProcess(withAccounts);
    await again.printed('Serving until Ctrl-C');
    const { stdout } = await again.stop('SIGTERM');
    for (const { address, secret } of accounts) {
      assert.match(stdout, new RegExp(`${address} +${secret}`));
    }
  });

  it('leaves no secret in a file', async () => {
    const ledger = new CliProcess([...common, '--accounts', '1', '--json', '--log-level', 'debug']);
    const { accounts } = z.parse(accountsEvent, await ledger.event('accounts'));
    await ledger.event('serving');
    const files = readdirSync(folder.path, { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder.path, name))
      .filter((path) => statSync(path).isFile());
    assert.ok(files.length > 0);
    for (const path of files) {
      const text = readFileSync(path, 'utf8');
      for (const { secret } of accounts) assert.ok(!text.includes(secret), path);
    }
    const { stderr } = await ledger.stop('SIGTERM');
    for (const { secret } of accounts) assert.ok(!stderr.includes(secret));
  });

  it('refuses numbers that make no sense, with status 2', async () => {
    const refused = [
      [['--accounts', '0'], /number of accounts must be a whole number from 1 to 1000/],
      [['--accounts', 'ten'], /number of accounts must be a whole number/],
      [['--accounts', '1', '--balance', '0.5'], /balance of an account must be from 1 to/],
      [['--balance', '5'], /--balance goes with --accounts/],
    ] as const;
    for (const [options, words] of refused) {
      const { code, stderr } = await new CliProcess([...common, ...options]).ended;
      assert.equal(code, 2, stderr);
      assert.match(stderr, words);
      assert.doesNotMatch(stderr, /^\s+at /m);
    }
  });
});

describe('svc-x402 ledger --fork-url', () => {
  it('is another name of --fork', async () => {
    const folder = temporaryFolder();
    const args = ['ledger', '--port', '0', '--data-dir', folder.path];
    const { code, stderr } = await new CliProcess([...args, '--fork-url', 'http://127.0.0.1:9'])
      .ended;
    folder.remove();
    assert.equal(code, 1);
    assert.match(stderr, /127\.0\.0\.1:9/);
  });
});
