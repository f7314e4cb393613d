import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import { parseServiceFile, type ServiceFile } from '../../src/machine/index.ts';
import { CliProcess, temporaryFolder } from './cliProcess.ts';

const ANY_PORT = ['--ledger-port', '0', '--facilitator-port', '0'];

describe('svc-x402 pay', () => {
  const folder = temporaryFolder();
  let dev: CliProcess;
  let seller = '';
  let network: ServiceFile['network'] | undefined;
  const servers: Server[] = [];

  const pay = (url: string, args: string[] = [], environment: Record<string, string> = {}) =>
    new CliProcess(['pay', url, ...args], { SVC_X402_DATA_DIR: folder.path, ...environment }).ended;
  async function serve(handler: Parameters<typeof createServer>[1]): Promise<string> {
    const server = createServer(handler as never);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }

  before(async () => {
    dev = new CliProcess(['dev', '--json', '--data-dir', folder.path, ...ANY_PORT]);
    seller = String((await dev.event('serving'))['seller']);
    network = parseServiceFile(readFileSync(join(folder.path, 'service.json'), 'utf8'))?.network;
  });
  after(async () => {
    for (const server of servers) server.close();
    await dev.stop();
    folder.remove();
  });

  it('D3: a new account pays from the shell; the response is on stdout, the payment on stderr', async () => {
    const { code, stdout, stderr } = await pay(seller);
    assert.equal(code, 0, stderr);
    assert.ok(JSON.parse(stdout));
    assert.match(
      stderr,
      /^G[A-Z2-7]{55} paid 0\.01 USDC to G[A-Z2-7]{55}\. Transaction [0-9a-f]{64}\.$/m,
    );
  });

  it('--json gives both, and the ledger has the transaction', async () => {
    const { stdout, stderr } = await pay(seller, ['--json']);
    const { status, payment, body } = JSON.parse(stdout);
    assert.equal(status, 200, stderr);
    assert.equal(payment.usdc, '0.01');
    assert.ok(JSON.parse(body));
    const seen = await fetch(`${network?.horizonUrl}/transactions/${payment.transaction}`);
    assert.equal(((await seen.json()) as { successful: boolean }).successful, true);
  });

  it('svc-x402 fund gives an account XLM, a trustline and USDC, and adds to them the next time', async () => {
    const publicKey = Keypair.random().publicKey();
    const environment = { SVC_X402_DATA_DIR: folder.path };
    for (const usdc of ['2.5', '5']) {
      const args = ['fund', publicKey, '--usdc', '2.5', '--json'];
      const { code, stdout, stderr } = await new CliProcess(args, environment).ended;
      assert.equal(code, 0, stderr);
      assert.equal(Number(JSON.parse(stdout).usdc), Number(usdc));
    }
    const account = await fetch(`${network?.horizonUrl}/accounts/${publicKey}`);
    const { balances } = (await account.json()) as {
      balances: { asset_code?: string; balance: string }[];
    };
    assert.equal(balances.find(({ asset_code: code }) => code === 'USDC')?.balance, '5.0000000');
  });

  it('an account made for --pay-to new can be paid', async () => {
    const code = join(folder.path, 'app.mjs');
    writeFileSync(
      code,
      "import express from 'express';\nconst app = express();\napp.get('/weather', (req, res) => res.json({}));\napp.listen(3000);\n",
    );
    const manifest = { type: 'module', dependencies: { express: '^5.0.0' } };
    writeFileSync(join(folder.path, 'package.json'), JSON.stringify(manifest));
    const args = ['add', code, '--pay-to', 'new', '--price', '0.25', '--json'];
    const added = await new CliProcess(args, { SVC_X402_DATA_DIR: folder.path }).ended;
    assert.equal(added.code, 0, added.stderr);
    const next = added.stdout.split('\n').find((line) => line.includes('"packages"'));
    assert.equal(
      JSON.parse(next ?? '{}').pay,
      'svc-x402 pay http://localhost:3000/weather --max 0.25',
    );
    const [payTo = ''] = /G[A-Z2-7]{55}/.exec(readFileSync(code, 'utf8')) ?? [];
    const account = await fetch(`${network?.horizonUrl}/accounts/${payTo}`);
    assert.equal(account.status, 200);
    assert.match(await account.text(), /"asset_code":\s*"USDC"/);
  });

  it('a price above the limit is refused, and nothing moves', async () => {
    const { code, stderr } = await pay(seller, ['--max', '0.001']);
    assert.equal(code, 1);
    assert.match(stderr, /No money moved\./);
  });

  it('PAYER_SECRET pays, and an account without USDC is reported without its secret', async () => {
    const key = Keypair.random();
    await fetch(`${network?.friendbotUrl}?addr=${key.publicKey()}`);
    const { code, stdout, stderr } = await pay(seller, [], { PAYER_SECRET: key.secret() });
    assert.equal(code, 1);
    assert.match(stderr, /No money moved\./);
    assert.ok(!`${stdout}${stderr}`.includes(key.secret()));
  });

  it('a free response is printed, and a seller’s error is exit status 1', async () => {
    const free = await serve((_request, response) => response.end('hello'));
    const given = await pay(free);
    assert.deepEqual([given.code, given.stdout], [0, 'hello\n']);
    assert.match(given.stderr, /nothing was paid/);
    const broken = await serve((_request, response) => response.writeHead(500).end('broken'));
    assert.equal((await pay(broken)).code, 1);
  });

  it('a body is sent as JSON with POST', async () => {
    const echo = await serve((request, response) => {
      response.end(`${request.method} ${request.headers['content-type']}`);
    });
    const { stdout } = await pay(echo, ['--body', '{"city":"Lisbon"}']);
    assert.equal(stdout, 'POST application/json\n');
  });

  /** The seller, whose paid responses get another body. */
  function spoilt(answer: (response: ServerResponse) => void): Promise<string> {
    return serve(async (request, response) => {
      const header = request.headers['payment-signature'];
      const headers = typeof header === 'string' ? { 'payment-signature': header } : undefined;
      const given = await fetch(seller, headers && { headers });
      for (const name of ['payment-required', 'payment-response']) {
        const value = given.headers.get(name);
        if (value !== null) response.setHeader(name, value);
      }
      if (given.status === 200) answer(response);
      else response.writeHead(given.status).end(await given.text());
    });
  }

  const PAID = /^G[A-Z2-7]{55} paid 0\.01 USDC to G[A-Z2-7]{55}\. Transaction [0-9a-f]{64}\.$/m;
  const ZEROS = Buffer.alloc(1 << 16, 'a');

  function endless(response: ServerResponse): void {
    const more = (): void => {
      while (!response.destroyed && response.write(ZEROS));
    };
    response.on('drain', more);
    more();
  }

  for (const [name, args, answer, why] of [
    [
      'cut off',
      [],
      (response) => {
        response.writeHead(200, { 'content-length': '1000' }).write('a part');
        setTimeout(() => response.destroy(), 100);
      },
      /The response was cut off: .*\. The money moved: do not pay again\./,
    ],
    [
      'not the gzip that it says',
      [],
      (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip at all'),
      /The response was cut off: .*\. The money moved: do not pay again\./,
    ],
    [
      'endless',
      ['--json'],
      endless,
      /The response is longer than 16 MiB\. Use -o FILE to save it\. The money moved: do not pay again\./,
    ],
  ] satisfies [string, string[], (response: ServerResponse) => void, RegExp][]) {
    it(`M9: a body that is ${name} ends with a sentence about the money, and exit status 1`, async () => {
      const { code, stdout, stderr } = await pay(await spoilt(answer), args);
      const said = args.length === 0 ? stderr : JSON.parse(stdout).error;
      assert.match(said, why);
      if (args.length === 0) assert.match(stderr, PAID);
      else assert.match(JSON.parse(stdout).payment.transaction, /^[0-9a-f]{64}$/);
      assert.equal(code, 1);
      assert.doesNotMatch(stderr, /\n\s+at /);
    });
  }

  it('M9: -o writes the bytes of the response to a file, which is opened before anything is paid', async () => {
    const image = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x00, 0xff]);
    const url = await spoilt((response) =>
      response.writeHead(200, { 'content-type': 'image/png' }).end(image),
    );
    const path = join(folder.path, 'image.png');
    const { code, stdout, stderr } = await pay(url, ['-o', path]);
    assert.deepEqual([code, stdout], [0, ''], stderr);
    assert.match(stderr, PAID);
    assert.deepEqual(readFileSync(path), image);
    const nowhere = await pay(url, ['-o', join(folder.path, 'none', 'image.png')]);
    assert.equal(nowhere.code, 2);
    assert.match(nowhere.stderr, /cannot be written: .* No money moved\./);
    const refused = join(folder.path, 'refused');
    assert.equal((await pay(url, ['-o', refused, '--max', '0.001'])).code, 1);
    assert.equal(existsSync(refused), false);
  });

  it('M10: a reason that a seller gives stays on one line', async () => {
    const url = await serve((_request, response) =>
      response.writeHead(307, { location: '/\tx' }).end(),
    );
    assert.match((await pay(url)).stderr, /redirects to \/ x\. To pay there, use that URL\.$/m);
  });

  it('a redirect, a seller that does not answer, and a missing service are reported in sentences', async () => {
    const away = await serve((_request, response) =>
      response.writeHead(307, { location: 'http://elsewhere.example/' }).end(),
    );
    assert.match((await pay(away)).stderr, /redirects to http:\/\/elsewhere\.example\//);
    assert.match((await pay('http://127.0.0.1:9/')).stderr, /did not answer\. No money moved\./);
    const empty = temporaryFolder();
    const alone = await pay(seller, [], { SVC_X402_DATA_DIR: empty.path });
    empty.remove();
    assert.equal(alone.code, 2);
    assert.match(alone.stderr, /svc-x402 dev/);
    const whose = await pay(seller, [], { STELLAR_RPC_URL: network?.rpcUrl ?? '' });
    assert.equal(whose.code, 2);
    assert.match(whose.stderr, /PAYER_SECRET/);
  });
});
