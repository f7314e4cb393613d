import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { CliProcess, temporaryFolder } from './cliProcess.ts';

const NO_STACK = /^\s+at /m;

describe('a mistake ends with status 2 and a sentence, without a stack trace', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());

  it('an unknown option', async () => {
    const { code, stdout, stderr } = await new CliProcess(['ledger', '--bogus']).ended;
    assert.equal(code, 2);
    assert.equal(stdout, '');
    assert.match(stderr, /unknown option '--bogus'/);
    assert.doesNotMatch(stderr, NO_STACK);
  });

  it('a facilitator without settings reports everything it lacks at once', async () => {
    const { code, stderr } = await new CliProcess(['facilitator', '--data-dir', folder.path]).ended;
    assert.equal(code, 2);
    for (const name of ['STELLAR_RPC_URL', 'SPONSOR_SECRET', 'CHANNEL_SEED']) {
      assert.ok(stderr.includes(name), stderr);
    }
    assert.doesNotMatch(stderr, NO_STACK);
  });

  it('a secret with a typing error is not repeated', async () => {
    const secret = 'SBADBADBADBADBADBADBADBADBADBADBADBADBADBADBADBADBADBADB';
    const { code, stderr } = await new CliProcess(['facilitator', '--data-dir', folder.path], {
      STELLAR_RPC_URL: 'http://127.0.0.1:9',
      SPONSOR_SECRET: secret,
      CHANNEL_SEED: 'a seed of enough characters',
    }).ended;
    assert.equal(code, 2);
    assert.match(stderr, /sponsor secret/i);
    assert.ok(!stderr.includes(secret));
  });

  it('a data folder that is a file', async () => {
    const file = join(folder.path, 'file');
    writeFileSync(file, '');
    const { code, stderr } = await new CliProcess(['ledger', '--data-dir', file]).ended;
    assert.equal(code, 2);
    assert.match(stderr, /data folder .* cannot be used/);
    assert.doesNotMatch(stderr, NO_STACK);
  });

  it('a data folder that cannot be created', {
    skip: existsSync('/proc/self') ? false : 'no /proc, whose mkdir reports a missing parent',
  }, async () => {
    for (const asked of ['/proc/nope', '/proc/nope/deeper/still']) {
      const started = new CliProcess(['ledger', '--data-dir', asked]);
      // Nothing else ends a process that loops in a system call.
      const watch = setTimeout(() => started.signal('SIGKILL'), 20_000);
      const { code, stderr } = await started.ended;
      clearTimeout(watch);
      assert.equal(code, 2, stderr);
      assert.equal(
        stderr,
        `The data folder ${asked} cannot be used (ENOENT). Name another with --data-dir.\n`,
      );
    }
  });

  it('dev --port, which names the two options that it may mean', async () => {
    const { code, stderr } = await new CliProcess(['dev', '--port', '5000']).ended;
    assert.equal(code, 2);
    assert.match(stderr, /--facilitator-port 5000 .*--ledger-port 5000/);
  });

  it('--exit without a demo', async () => {
    const args = ['dev', '--exit', '--no-demo', '--data-dir', folder.path];
    const { code, stderr } = await new CliProcess(args).ended;
    assert.equal(code, 2);
    assert.match(stderr, /Omit --no-demo/);
  });
});

describe('--help', () => {
  it('begins with being paid, and has every command in a group', async () => {
    const { code, stdout } = await new CliProcess(['--help']).ended;
    assert.equal(code, 0);
    const titles = [...stdout.matchAll(/^(\w+):$/gm)].map(([, title]) => title);
    assert.deepEqual(titles, ['Options', 'Sell', 'Pay', 'Agents', 'Network', 'Operate']);
    assert.match(stdout, /Get paid for the endpoints of your code/);
    assert.match(stdout, /Sell:\n {2}list {12}list the endpoints in your code\n {2}add /);
    const options = (await new CliProcess(['agent', '--help']).ended).stdout;
    assert.match(options, /Commands:\n {2}grant/);
  });
});

describe('a mistake in the options of a proxy', () => {
  const api = 'http://127.0.0.1:9';
  const mistakes: readonly (readonly [readonly string[], RegExp])[] = [
    [[api, '--price', 'abc', '--pay-to', 'new'], /abc is not a price/],
    [[api, '--price', '0.01', '--pay-to', 'G1'], /G1 is not a Stellar address/],
  ];
  for (const [args, words] of mistakes) {
    it(`${args.slice(1).join(' ')}: is said before a service is started`, async () => {
      const folder = temporaryFolder();
      const { code, stdout, stderr } = await new CliProcess([
        ...['proxy', ...args],
        ...['--data-dir', folder.path],
      ]).ended;
      folder.remove();
      assert.equal(code, 2);
      assert.match(stderr, words);
      assert.doesNotMatch(stdout + stderr, /started here/);
      assert.doesNotMatch(stderr, NO_STACK);
    });
  }
});
