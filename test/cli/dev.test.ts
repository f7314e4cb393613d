import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import * as z from 'zod/mini';
import { parseServiceFile } from '../../src/machine/index.ts';
import { noPidNamespaces, PID_NAMESPACE } from '../support/namespaces.ts';
import { sellerInstalled, startPaidSeller } from '../support/paidSeller.ts';
import { CliProcess, temporaryFolder } from './cliProcess.ts';

const ANY_PORT = ['--ledger-port', '0', '--facilitator-port', '0'];

const account = z.object({ xlm: z.string(), usdc: z.string() });
const paidEvent = z.object({
  settled: z.object({
    status: z.literal(200),
    payer: z.string().check(z.regex(/^G[A-Z2-7]{55}$/)),
    transaction: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
    ledger: z.number().check(z.positive()),
  }),
  balances: z.object({
    before: z.object({ buyer: account, seller: account }),
    after: z.object({ buyer: account, seller: account }),
  }),
});

describe('svc-x402 dev --exit', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());

  it('makes one payment with the published packages, prints it, and ends with 0', async () => {
    const args = ['dev', '--exit', '--json', '--data-dir', folder.path, ...ANY_PORT];
    const dev = new CliProcess(args);
    const { settled, balances } = z.parse(paidEvent, await dev.event('paid'));
    assert.notEqual(settled.payer, '');
    assert.deepEqual(balances.before, {
      buyer: { ...balances.before.buyer, usdc: '1.0000000' },
      seller: { ...balances.before.seller, usdc: '0.0000000' },
    });
    assert.deepEqual(balances.after, {
      buyer: { xlm: balances.before.buyer.xlm, usdc: '0.9900000' },
      seller: { xlm: balances.before.seller.xlm, usdc: '0.0100000' },
    });
    const { code, stderr } = await dev.ended;
    assert.equal(code, 0, stderr);
  });

  it('leaves no discovery file behind', () => {
    assert.equal(existsSync(join(folder.path, 'service.json')), false);
  });

  it('continues with the previous ledger', async () => {
    const args = ['dev', '--exit', '--data-dir', folder.path, ...ANY_PORT];
    const { code, stdout, stderr } = await new CliProcess(args).ended;
    assert.equal(code, 0, stderr);
    for (const fact of ['URL', 'price', 'payer', 'payTo', 'hash', 'ledger', 'ms']) {
      assert.ok(stdout.includes(fact), fact);
    }
  });
});

describe('a failing demo payment', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());

  it('ends dev --exit with 1 and its reason', async () => {
    const args = ['dev', '--exit', '--data-dir', folder.path, ...ANY_PORT];
    const refusing = new CliProcess(args, { MAX_TX_FEE_STROOPS: '200' });
    const { code, stdout, stderr } = await refusing.ended;
    assert.equal(code, 1);
    assert.match(stderr, /refused with status 402: \w*fee_exceeds_maximum/);
    assert.match(stdout, /payment refused \(402\)/);
    assert.equal(existsSync(join(folder.path, 'service.json')), false);
  });
});

describe('a data folder that holds another network', () => {
  it('is refused with a message', async () => {
    const folder = temporaryFolder();
    const args = ['ledger', '--port', '0', '--json', '--data-dir', folder.path];
    const first = new CliProcess([...args, '--seed', 'one']);
    await first.event('serving');
    assert.equal((await first.stop('SIGTERM')).code, 0);
    const { code, stderr } = await new CliProcess([...args, '--seed', 'two']).ended;
    folder.remove();
    assert.equal(code, 2);
    assert.match(stderr, /another seed: choose another data folder/);
    assert.doesNotMatch(stderr, /^\s+at /m);
  });
});

describe('svc-x402 dev serves until it is stopped', () => {
  const folder = temporaryFolder();
  let dev: CliProcess;
  before(async () => {
    const quiet = ['--json', '--log-level', 'warn', '--data-dir', folder.path];
    dev = new CliProcess(['dev', '--no-demo', ...quiet, ...ANY_PORT]);
    await dev.event('serving');
  });
  after(async () => {
    await dev.stop('SIGKILL');
    folder.remove();
  });
  const file = () => join(folder.path, 'service.json');

  it('the actual URLs are in service.json, readable only by the owner', async () => {
    assert.equal(statSync(file()).mode & 0o777, 0o600);
    const service = parseServiceFile(readFileSync(file(), 'utf8'));
    assert.ok(service?.facilitatorUrl);
    assert.equal(service.pid, dev.pid);
    const health = await fetch(`${service.facilitatorUrl}/health`);
    assert.equal(health.status, 200);
    const rpc = await fetch(service.network.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"getHealth"}',
    });
    assert.match(await rpc.text(), /"status":"healthy"/);
  });

  it('the certificate authority can be read, its key only by the owner', () => {
    const service = parseServiceFile(readFileSync(file(), 'utf8'));
    const authority = service?.network.certificateAuthorityFile ?? '';
    assert.match(readFileSync(authority, 'utf8'), /^-----BEGIN CERTIFICATE-----/);
    assert.equal(statSync(authority.replace(/\.pem$/, '.key')).mode & 0o777, 0o600);
    assert.equal(statSync(folder.path).mode & 0o777, 0o700);
  });

  it('`check` finds no way past the payment of the demo seller', {
    skip: !sellerInstalled,
  }, async () => {
    const service = parseServiceFile(readFileSync(file(), 'utf8'));
    const payTo = 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57';
    const seller = await startPaidSeller({ facilitatorUrl: service?.facilitatorUrl ?? '', payTo });
    try {
      const { code, stdout, stderr } = await new CliProcess(['check', seller.url]).ended;
      assert.equal(code, 0, stdout + stderr);
      assert.match(stdout, / 0 free$/m);
      assert.match(stdout, /402 {2}GET \/weather\/Lima +asks for a payment/);
    } finally {
      await seller.stop();
    }
  });

  it('a second service does not start with the same data folder', async () => {
    const second = new CliProcess(['dev', '--data-dir', folder.path, ...ANY_PORT]);
    const { code, stderr } = await second.ended;
    assert.equal(code, 2);
    assert.ok(stderr.includes(`process ${dev.pid}`), stderr);
    assert.match(stderr, /--data-dir/);
  });

  it('[finding: K1] nor does one in another container', {
    skip: noPidNamespaces,
  }, async () => {
    const args = ['dev', '--no-restart', '--data-dir', folder.path, ...ANY_PORT];
    const second = new CliProcess(args, {}, undefined, PID_NAMESPACE);
    const { code, stderr } = await second.ended;
    assert.equal(code, 2);
    assert.match(stderr, /process \d+ .*container.* holds .*\. Stop it, or choose another/);
    assert.doesNotMatch(stderr, /^\s+at /m);
  });

  it('Ctrl-C stops it cleanly: status 0, no output, discovery file deleted', async () => {
    const { code, stderr } = await dev.stop('SIGINT');
    assert.equal(code, 0);
    assert.equal(stderr, '');
    assert.equal(existsSync(file()), false);
  });
});

describe('a service that was killed', () => {
  it('does not block the next one, which continues with its ledger', async () => {
    const folder = temporaryFolder();
    const args = ['ledger', '--port', '0', '--json', '--data-dir', folder.path];
    const killed = new CliProcess(args);
    await killed.event('serving');
    await killed.stop('SIGKILL');
    assert.ok(existsSync(join(folder.path, 'service.json')));
    const next = new CliProcess(args);
    await next.event('serving');
    assert.deepEqual(await next.stop().then(({ code, stderr }) => [code, stderr]), [0, '']);
    folder.remove();
  });
});

describe('a busy port', () => {
  it('moves it to a free one, with a message, and the discovery file has the real one', async () => {
    const folder = temporaryFolder();
    const holder = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => holder.once('listening', resolve));
    const address = holder.address();
    assert.ok(address !== null && typeof address === 'object');
    const busy = String(address.port);
    const args = ['dev', '--no-demo', '--json', '--data-dir', folder.path];
    const dev = new CliProcess([...args, '--ledger-port', '0', '--facilitator-port', busy]);
    const moved = await dev.event('busy_port');
    await dev.event('serving');
    const service = parseServiceFile(readFileSync(join(folder.path, 'service.json'), 'utf8'));
    assert.equal(moved['asked'], address.port);
    assert.equal(service?.facilitatorUrl, `http://127.0.0.1:${String(moved['port'])}`);
    assert.equal((await dev.stop()).code, 0);
    holder.close();
    folder.remove();
  });
});
