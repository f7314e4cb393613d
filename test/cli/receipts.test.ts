import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { serve } from '../proxy/support/shop.ts';
import { CliProcess, temporaryFolder } from './cliProcess.ts';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
/** A library that others wrote. It comes with a tool of this repository, and is not one of its own dependencies. */
const jose = fileURLToPath(
  new URL('../../node_modules/jose/dist/webapi/index.js', import.meta.url),
);

interface Jose {
  importJWK(jwk: object, alg: string): Promise<object>;
  compactVerify(jws: string, key: object): Promise<{ readonly payload: Uint8Array }>;
}

interface Kept {
  readonly id: string;
  readonly file: Readonly<Record<string, unknown>> & {
    readonly offers: readonly { readonly signature: string }[];
    readonly receipt: { readonly signature: string };
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('Signed receipts from the command line, on the embedded network', () => {
  const folder = temporaryFolder();
  const stranger = temporaryFolder();
  let dev: CliProcess;
  let api: Awaited<ReturnType<typeof serve>>;
  let url: string;
  let proxy: CliProcess;
  let keyFile: string;
  const logs: string[] = [];
  const environment = { SVC_X402_DATA_DIR: folder.path, NO_COLOR: '1' };
  const run = (...args: string[]) => new CliProcess(args, environment).ended;
  const kept = async (): Promise<readonly Kept[]> => {
    const { stdout } = await run('receipt', 'show', '--json');
    return (JSON.parse(stdout) as { receipts: readonly Kept[] }).receipts;
  };
  const open = async (port: number): Promise<CliProcess> => {
    const origin = `http://127.0.0.1:${port}`;
    const started = new CliProcess(
      [
        ...['proxy', api.url, '--price', '0.01', '--pay-to', 'new', '--receipts', '--json'],
        ...['--public-url', origin, '--port', `${port}`, '--log-level', 'debug'],
      ],
      environment,
    );
    await started.event('selling');
    url = origin;
    return started;
  };

  before(async () => {
    const ports = ['--ledger-port', '0', '--facilitator-port', '0', '--no-demo'];
    dev = new CliProcess(['dev', '--json', '--data-dir', folder.path, ...ports]);
    await dev.event('serving');
    api = await serve((_, response) => response.end('{"tempC":19}'));
    proxy = await open(await freePort());
    const [shop = ''] = readdirSync(join(folder.path, 'proxy'));
    keyFile = join(folder.path, 'proxy', shop, 'receipt-key');
  });
  after(async () => {
    const { stdout, stderr } = await proxy.stop('SIGINT');
    logs.push(stdout, stderr);
    const secret = readFileSync(keyFile, 'utf8').trim();
    await dev.stop();
    await api.close();
    folder.remove();
    stranger.remove();
    assert.match(secret, /^[0-9a-f]{64}$/);
    assert.ok(!logs.join('').includes(secret), 'the key is in the output of the proxy');
  });

  it('the proxy makes a key that only its owner can read, and keeps it', async () => {
    if (process.platform !== 'win32') assert.equal(statSync(keyFile).mode & 0o777, 0o600);
    const { receiptKey: first } = await proxy.event('selling');
    assert.match(String(first), /^did:key:z6Mk/);
    const { stdout, stderr } = await proxy.stop('SIGINT');
    logs.push(stdout, stderr);
    proxy = await open(Number(new URL(url).port));
    assert.equal((await proxy.event('selling'))['receiptKey'], first);
  });

  it('is refused without an origin, before an account is made', async () => {
    const { code, stdout, stderr } = await run(
      ...['proxy', api.url, '--price', '0.01', '--pay-to', 'new', '--receipts', '--port', '0'],
    );
    assert.notEqual(code, 0);
    assert.match(stderr, /Set publicUrl \(--public-url\)/);
    assert.doesNotMatch(stdout + stderr, /Account created|\bS[A-Z2-7]{55}\b/);
  });

  it('a receipt that is not there is named', async () => {
    for (const args of [
      ['show', 'abc'],
      ['verify', join(stranger.path, 'none.json')],
    ]) {
      const { code, stderr } = await run('receipt', ...args);
      assert.notEqual(code, 0);
      assert.match(stderr, /is neither a kept receipt nor a file\. See svc-x402 receipt show\./);
    }
  });

  it('pay prints one line about what was signed, and keeps it', async () => {
    const { code, stdout, stderr } = await run('pay', `${url}/weather?city=Lima`);
    assert.equal(code, 0, stderr);
    assert.equal(stdout, '{"tempC":19}\n');
    assert.match(
      stderr,
      /^The seller signed an offer and a receipt that fit the payment, with did:key:z6Mk.*receipt verify [0-9a-f]{12} --online\.$/m,
    );
    const [only, ...others] = await kept();
    assert.ok(only);
    assert.deepEqual(others, []);
    assert.equal(only.file['url'], `${url}/weather?city=Lima`);
    const path = join(folder.path, 'receipts', 'signed', `${only.id}.json`);
    if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o600);
  });

  it('verify says what holds without a network, and what only the ledger knows', async () => {
    const [first] = await kept();
    assert.ok(first);
    const offline = await run('receipt', 'verify', first.id);
    assert.equal(offline.code, 0, offline.stderr);
    assert.match(
      offline.stdout,
      /From the file alone:\n {2}holds {2}The offer .*\n {2}holds {2}The receipt/,
    );
    assert.match(
      offline.stdout,
      /open {3}Only the ledger knows whether transaction [0-9a-f]{64} paid/,
    );
    const online = await run('receipt', 'verify', first.id, '--online', '--json');
    assert.equal(online.code, 0, online.stderr);
    const { findings } = JSON.parse(online.stdout) as {
      findings: { about: string; verdict: string; words: string }[];
    };
    const ledger = findings.find(({ about }) => about === 'ledger');
    assert.equal(ledger?.verdict, 'holds', ledger?.words);
  });

  it('a stranger verifies an exported file, and a changed one is refused with the reason', async () => {
    const [first] = await kept();
    assert.ok(first);
    const path = join(stranger.path, 'receipt.json');
    const exported = await run('receipt', 'export', first.id, path);
    assert.equal(exported.code, 0, exported.stderr);
    assert.notEqual((await run('receipt', 'export', first.id, path)).code, 0);
    const elsewhere = { SVC_X402_DATA_DIR: join(stranger.path, 'data'), NO_COLOR: '1' };
    const verify = (file: string) => new CliProcess(['receipt', 'verify', file], elsewhere).ended;
    const good = await verify(path);
    assert.equal(good.code, 0, good.stdout + good.stderr);

    const file = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    const paid = file['paid'] as object;
    const { signature } = file['receipt'] as { signature: string };
    const [head = '', body = '', tail = ''] = signature.split('.');
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as object;
    const other = Buffer.from(
      JSON.stringify({ ...claims, payer: file['payer'], issuedAt: 1_800_000_000 }),
    );
    for (const [changed, reason] of [
      [{ ...file, transaction: '00'.repeat(32) }, /It names another transaction\./],
      [{ ...file, paid: { ...paid, amount: '1' } }, /Its terms are not among those/],
      [{ ...file, url: `${url}/other` }, /It is for another resource\./],
      [
        {
          ...file,
          receipt: { format: 'jws', signature: `${head}.${other.toString('base64url')}.${tail}` },
        },
        /Its signature was not made by this key for these words\./,
      ],
    ] as const) {
      const forged = join(stranger.path, 'forged.json');
      writeFileSync(forged, JSON.stringify(changed));
      const { code, stdout } = await verify(forged);
      assert.equal(code, 1, stdout);
      assert.match(stdout, reason);
    }
    writeFileSync(join(stranger.path, 'text.json'), '{"kind":"other"}');
    const text = await verify(join(stranger.path, 'text.json'));
    assert.equal(text.code, 2);
    assert.match(text.stderr, /is not a receipt/);
  });

  it('another library reads the same signatures', {
    skip: existsSync(jose) ? false : 'needs jose',
  }, async () => {
    const { importJWK, compactVerify } = (await import(pathToFileURL(jose).href)) as Jose;
    const [first] = await kept();
    assert.ok(first);
    const secret = Buffer.from(readFileSync(keyFile, 'utf8').trim(), 'hex');
    const { receiptKey } = await import('../../src/seller/index.ts');
    const x = Buffer.from(receiptKey(secret).publicKey).toString('base64url');
    const key = await importJWK({ kty: 'OKP', crv: 'Ed25519', x }, 'EdDSA');
    for (const { signature } of [...first.file.offers, first.file.receipt]) {
      const { payload } = await compactVerify(signature, key);
      const { resourceUrl } = JSON.parse(Buffer.from(payload).toString()) as {
        resourceUrl: string;
      };
      assert.equal(resourceUrl, first.file['url']);
    }
  });

  it('an agent gets the same line with its response, and the receipt is kept', async () => {
    const granted = await run('agent', 'grant', '--budget', '0.05', '--name', 'buyer');
    assert.equal(granted.code, 0, granted.stderr);
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [cli, 'mcp', '--pay', '--key-file', join(folder.path, 'agents', 'buyer.json')],
        env: { PATH: process.env['PATH'] ?? '', SVC_X402_DATA_DIR: folder.path },
        stderr: 'pipe',
      }),
    );
    try {
      const result = (await client.callTool({
        name: 'x402_call',
        arguments: { url: `${url}/weather?city=Quito`, maxAmount: '0.01' },
      })) as CallToolResult;
      const [content] = result.content;
      assert.ok(content?.type === 'text');
      assert.match(content.text, /\nThe seller signed an offer and a receipt that fit the payment/);
      const { 'svc-x402/call': call } = { ...result._meta };
      const { signed, outcome } = call as {
        signed: { id: string; verdict: string };
        outcome: string;
      };
      assert.deepEqual([outcome, signed.verdict], ['settled', 'holds']);
      const found = (await kept()).find(({ id }) => id === signed.id);
      assert.match(String(found?.file['payer']), /^C/);
      assert.equal((await run('receipt', 'verify', signed.id, '--online')).code, 0);
    } finally {
      await client.close();
    }
  });
});
