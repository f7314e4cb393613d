import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Keypair } from '@stellar/stellar-sdk';
import * as z from 'zod/mini';
import { CliProcess, temporaryFolder } from './cliProcess.ts';

const accountsEvent = z.object({
  balance: z.string(),
  accounts: z.array(z.object({ address: z.string(), secret: z.string() })),
});
const servingEvent = z.object({ network: z.object({ horizonUrl: z.string() }) });

/** Waits for a condition. @throws Error after 10 seconds */
async function until(holds: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 10_000; !holds(); await pause(20)) {
    if (Date.now() > deadline) throw new Error(`not within 10 seconds: ${holds}`);
  }
}

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

/** Protocol of the network, by Horizon. */
async function protocolAt(horizon: string): Promise<number> {
  const root = z.object({ current_protocol_version: z.number() });
  return z.parse(root, await (await fetch(`${horizon}/`)).json()).current_protocol_version;
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

  it('refuses invalid numbers, with status 2', async () => {
    const refused = [
      [['--accounts', '0'], /number of accounts must be a whole number from 1 to 1000/],
      [['--accounts', 'ten'], /number of accounts must be a whole number/],
      [['--accounts', '1', '--balance', '0.5'], /balance of an account must be from 1 to/],
      [['--balance', '5'], /--balance needs --accounts/],
    ] as const;
    for (const [options, words] of refused) {
      const { code, stderr } = await new CliProcess([...common, ...options]).ended;
      assert.equal(code, 2, stderr);
      assert.match(stderr, words);
      assert.doesNotMatch(stderr, /^\s+at /m);
    }
  });
});

describe('svc-x402 ledger --state', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());
  const file = join(folder.path, 'state.json');
  const common = ['ledger', '--port', '0', '--json', '--data-dir', folder.path];
  const call = async (horizonUrl: string, method: string, params: object): Promise<object> => {
    const response = await fetch(`${horizonUrl}/control`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return (await response.json()) as object;
  };
  const control = async (...args: Parameters<typeof call>): Promise<void> => {
    assert.ok('result' in (await call(...args)));
  };
  const serving = async (ledger: CliProcess): Promise<string> =>
    z.parse(servingEvent, await ledger.event('serving')).network.horizonUrl;
  const holder = Keypair.random().publicKey();

  it('continues with the saved balances, keys and protocol', async () => {
    const options = ['--state', file, '--accounts', '1', '--protocol', '27'];
    const first = new CliProcess([...common, ...options]);
    const { accounts } = z.parse(accountsEvent, await first.event('accounts'));
    const url = await serving(first);
    await control(url, 'svc_setBalance', { account: holder, asset: 'native', amount: '77' });
    const [{ address } = { address: '' }] = accounts;
    await control(url, 'svc_setBalance', { account: address, asset: 'native', amount: '3' });
    const ended = await first.stop('SIGTERM');
    assert.equal(ended.code, 0, ended.stderr);
    assert.deepEqual(await first.event('state_saved'), { event: 'state_saved', file });
    assert.equal(statSync(file).mode & 0o777, 0o600);

    const second = new CliProcess([...common, '--state', file, '--accounts', '1']);
    assert.deepEqual(z.parse(accountsEvent, await second.event('accounts')).accounts, accounts);
    const again = await serving(second);
    assert.equal(await balanceAt(again, holder), '77.0000000');
    assert.equal(await balanceAt(again, address), '3.0000000');
    assert.equal(await protocolAt(again), 27);
    const funded = await fetch(`${again}/friendbot?addr=${Keypair.random().publicKey()}`);
    assert.equal(funded.status, 200);
    const { code, stderr } = await second.stop('SIGTERM');
    assert.equal(code, 0, stderr);
    // Only the file has the state: the data folder holds no ledger.
    assert.ok(!readdirSync(folder.path).includes('ledger'));
  });

  it('is --load-state and --dump-state in one; the first leaves the file unchanged', async () => {
    const before = readFileSync(file);
    const copy = join(folder.path, 'copy.json');
    const ledger = new CliProcess([...common, '--load-state', file, '--dump-state', copy]);
    assert.equal(await balanceAt(await serving(ledger), holder), '77.0000000');
    assert.equal((await ledger.stop('SIGTERM')).code, 0);
    assert.deepEqual(readFileSync(file), before);
    const loaded = new CliProcess([...common, '--load-state', copy]);
    assert.equal(await balanceAt(await serving(loaded), holder), '77.0000000');
    assert.equal((await loaded.stop('SIGTERM')).code, 0);
  });

  it('saves at intervals too: a killed process loses little', async () => {
    const often = join(folder.path, 'often.json');
    const options = [...common, '--state', often, '--state-interval', '1'];
    const killed = new CliProcess(options);
    const url = await serving(killed);
    await control(url, 'svc_setBalance', { account: holder, asset: 'native', amount: '5' });
    const saved = (): string => (existsSync(often) ? readFileSync(often, 'utf8') : '');
    await until(() => saved() !== '');
    assert.equal(statSync(often).mode & 0o777, 0o600);
    const before = saved();
    await control(url, 'svc_setBalance', { account: holder, asset: 'native', amount: '77' });
    await until(() => saved() !== before);
    await killed.stop('SIGKILL');
    const left = readdirSync(folder.path).filter((name) => name.startsWith('often.json'));
    assert.deepEqual(left, ['often.json']);
    const next = new CliProcess(options);
    assert.equal(await balanceAt(await serving(next), holder), '77.0000000');
    assert.equal((await next.stop('SIGTERM')).code, 0);
  });

  it('does not write a file again while no entry changes', async () => {
    const calm = join(folder.path, 'calm.json');
    const ledger = new CliProcess([...common, '--state', calm, '--state-interval', '1']);
    const url = await serving(ledger);
    await until(() => existsSync(calm));
    const { mtimeMs } = statSync(calm);
    await control(url, 'svc_closeLedger', {});
    await pause(2_500);
    assert.equal(statSync(calm).mtimeMs, mtimeMs);
    assert.equal((await ledger.stop('SIGTERM')).code, 0);
    assert.notEqual(statSync(calm).mtimeMs, mtimeMs);
  });

  it('is saved at Ctrl-C after a balance that no ledger can hold was refused', async () => {
    const kept = join(folder.path, 'kept.json');
    const ledger = new CliProcess([...common, '--state', kept]);
    const url = await serving(ledger);
    await control(url, 'svc_setBalance', { account: holder, asset: 'native', amount: '42' });
    const refused = await call(url, 'svc_setBalance', {
      ...{ account: Keypair.random().publicKey(), asset: 'native', amount: '922337203685' },
    });
    assert.equal(
      z.parse(z.object({ error: z.object({ code: z.number() }) }), refused).error.code,
      -32602,
    );
    await control(url, 'svc_closeLedger', {});
    const { code, stderr } = await ledger.stop('SIGINT');
    assert.equal(code, 0, stderr);
    assert.equal(stderr, '');
    const next = new CliProcess([...common, '--load-state', kept]);
    assert.equal(await balanceAt(await serving(next), holder), '42.0000000');
    assert.equal((await next.stop('SIGTERM')).code, 0);
  });

  const newer = join(folder.path, 'newer.json');

  it('is upgraded by --protocol 28', async () => {
    const options = ['--load-state', file, '--protocol', '28', '--dump-state', newer];
    const ledger = new CliProcess([...common, ...options]);
    const url = await serving(ledger);
    assert.equal(await protocolAt(url), 28);
    assert.equal(await balanceAt(url, holder), '77.0000000');
    assert.equal((await ledger.stop('SIGTERM')).code, 0);
  });

  it('files that cannot be used, and options that contradict each other, end with status 2', async () => {
    const broken = join(folder.path, 'broken.json');
    writeFileSync(broken, '{"passphrase":5}');
    const damaged = join(folder.path, 'damaged.json');
    writeFileSync(damaged, '{"passphrase":"Test SDF Network ; September 2015","state":"AAAA"}');
    const refused = [
      [['--load-state', join(folder.path, 'none.json')], /cannot be read \(ENOENT\)/],
      [['--load-state', broken], /broken\.json is not a saved state/],
      [['--load-state', damaged], /The saved state cannot be loaded: state must be/],
      [
        ['--load-state', newer, '--protocol', '27'],
        /the state is from protocol 28, but the network runs 27/,
      ],
      [['--load-state', file, '--passphrase', 'mine'], /the state belongs to the network/],
      [['--dump-state', join(folder.path, 'no', 'x.json')], /cannot be saved in .*\(ENOENT\)/],
      [['--state', file, '--dump-state', broken], /--state both loads and saves/],
      [['--state', file, '--fork', 'http://127.0.0.1:9'], /cannot be loaded into a fork/],
    ] as const;
    for (const [options, words] of refused) {
      const { code, stderr } = await new CliProcess([...common, ...options]).ended;
      assert.equal(code, 2, stderr);
      assert.match(stderr, words);
      assert.doesNotMatch(stderr, /^\s+at /m);
    }
    assert.equal(readFileSync(broken, 'utf8'), '{"passphrase":5}');
  });
});

describe('svc-x402 ledger --protocol', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());
  const command = ['ledger', '--port', '0', '--json', '--data-dir', folder.path];
  const run = async (...options: readonly string[]): Promise<[protocol: number, text: string]> => {
    const ledger = new CliProcess([...command, ...options]);
    const { network } = z.parse(servingEvent, await ledger.event('serving'));
    const protocol = await protocolAt(network.horizonUrl);
    const { code, stdout, stderr } = await ledger.stop('SIGTERM');
    assert.equal(code, 0, stderr);
    return [protocol, stdout];
  };

  it('is 28 by default; a folder on 27 keeps it, reports it, and is upgraded by 28', async () => {
    const [inMemory, aboutIt] = await run('--in-memory');
    assert.equal(inMemory, 28);
    assert.doesNotMatch(aboutIt, /older_protocol/);
    const [begun, asRequested] = await run('--protocol', '27');
    assert.equal(begun, 27);
    assert.doesNotMatch(asRequested, /older_protocol/);
    const [kept, notice] = await run();
    assert.equal(kept, 27);
    assert.match(notice, /"event":"older_protocol","protocol":27,"testnet":28/);
    assert.equal((await run('--protocol', '28'))[0], 28);
    const [upgraded, silence] = await run();
    assert.equal(upgraded, 28);
    assert.doesNotMatch(silence, /older_protocol/);
  });
});

describe('svc-x402 ledger --fork-url', () => {
  it('is another name for --fork', async () => {
    const folder = temporaryFolder();
    const args = ['ledger', '--port', '0', '--data-dir', folder.path];
    const { code, stderr } = await new CliProcess([...args, '--fork-url', 'http://127.0.0.1:9'])
      .ended;
    folder.remove();
    assert.equal(code, 1);
    assert.match(stderr, /127\.0\.0\.1:9/);
  });
});
