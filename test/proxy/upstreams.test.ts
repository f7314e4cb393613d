import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openPayer, openSeller } from '../support/accounts.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { ask, openShop, receiptIn, type Shop, sign } from './support/shop.ts';

const python = process.env['PYTHON'] ?? 'python3';
const folder = fileURLToPath(new URL('./apis/', import.meta.url));

const has = (module: string): boolean =>
  spawnSync(python, ['-c', `import ${module}`], { stdio: 'ignore' }).status === 0;

/** APIs that know nothing of payments, and what each needs. */
const APIS: readonly { readonly name: string; readonly file: string; readonly there: boolean }[] = [
  { name: 'Flask', file: 'flask_api.py', there: has('flask') },
  { name: 'FastAPI', file: 'fastapi_api.py', there: has('fastapi, uvicorn') },
  { name: 'Django', file: 'django_api.py', there: has('django') },
  { name: 'Python’s file server', file: 'files_api.py', there: has('http.server') },
  { name: 'Go’s net/http', file: 'net_http.go', there: spawnSync('go', ['version']).status === 0 },
];

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}

/** Sends bytes as they are, and returns all that comes back within a second. */
function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.from(text, 'latin1')));
    socket.setTimeout(300, () => socket.destroy());
    socket.on('data', (piece) => {
      answer += piece.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
  });
}

/** Ways to write the target of a sold resource, and requests that could reach it by another way: 300 and more. */
function attempts(): readonly string[] {
  const paths = new Set<string>(['/weather/Lima']);
  const marks = [
    '/',
    '//',
    '/./',
    '/../',
    '%2f',
    '%2F',
    '%5c',
    '\\',
    ';',
    ';a=b',
    '%3b',
    '%00',
    '%0a',
    '%0d',
    '%09',
    '%20',
    '.',
    '..',
    '%2e',
    '%2e%2e',
    '%252f',
    '%25',
    '?',
    '%3f',
    '#',
    '%23',
    '~',
    '*',
    '%e2%80%a8',
    '%ff',
    '%c0%af',
    '\u00e9',
    ':',
    '@',
    '|',
    '.json',
    '.html',
    '%2ejson',
    '+',
    '&',
    '$',
  ];
  for (const mark of marks) {
    for (const path of [
      `${mark}/weather/Lima`,
      `/weather${mark}Lima`,
      `/weather/${mark}Lima`,
      `/weather/Lima${mark}`,
      `/weather${mark}/Lima`,
      `/free${mark}/../weather/Lima`,
    ])
      paths.add(path);
  }
  for (const path of [
    '/WEATHER/Lima',
    '/Weather/Lima',
    '/%77eather/Lima',
    '/%57eather/Lima',
    '/w%65ather/%4cima',
    '/weather/%4Cima',
    '/index.php/weather/Lima',
    '/weather.php/Lima',
    'http://other.example/weather/Lima',
    'weather/Lima',
    '*',
    '/free?next=/weather/Lima',
  ])
    paths.add(path);
  const targets = [...paths].flatMap((path) => [`GET ${path} HTTP/1.1`]);
  const methods = [
    'HEAD',
    'OPTIONS',
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'TRACE',
    'QUERY',
    'PROPFIND',
    'get',
    'GeT',
  ];
  const lines = [
    ...targets,
    ...methods.map((method) => `${method} /weather/Lima HTTP/1.1`),
    'GET /weather/Lima HTTP/1.0',
    'GET /weather/Lima',
  ];
  const plain = lines.map((line) => `${line}\r\nHost: shop.example\r\nConnection: close\r\n\r\n`);
  const headers = [
    'X-Original-URL: /weather/Lima',
    'X-Rewrite-URL: /weather/Lima',
    'X_Original_URL: /weather/Lima',
    'X-HTTP-Method-Override: GET',
    'X402-Payer: GFORGED',
    'PAYMENT-SIGNATURE: e30=',
    'PAYMENT-SIGNATURE: %',
    'X-PAYMENT: e30=',
    'Authorization: Payment x',
    'X-Forwarded-Prefix: /weather',
    'Range: bytes=0-9',
    'If-None-Match: *',
    'Upgrade: websocket',
    'Upgrade: h2c',
    'Expect: 100-continue',
  ];
  const smuggled = 'GET /weather/Lima HTTP/1.1\r\nHost: shop.example\r\n\r\n';
  return [
    ...plain,
    ...headers.flatMap((header) => [
      `GET /free HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n${header}\r\n\r\n`,
      `GET /weather/Lima HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n${header}\r\n\r\n`,
    ]),
    // Two lengths: whoever believes the other one sees a second request.
    `POST /free HTTP/1.1\r\nHost: shop.example\r\nContent-Length: ${smuggled.length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    `POST /free HTTP/1.1\r\nHost: shop.example\r\nContent-Length: 0\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
    `POST /free HTTP/1.1\r\nHost: shop.example\r\nTransfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    `GET /free HTTP/1.1\r\nHost: shop.example\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
    `GET /free HTTP/1.1\r\nHost: shop.example\r\n\r\n${smuggled}`,
    `GET /free HTTP/1.1\r\nHost: shop.example\r\nX: y\rGET /weather/Lima HTTP/1.1\r\n\r\n`,
  ];
}

describe('APIs in other languages are sold as they are', () => {
  let stack: LocalStack;
  let payer: TestKey;
  let payTo: TestKey;
  const build = mkdtempSync(join(tmpdir(), 'x402-apis-'));
  before(async () => {
    stack = await startLocalStack();
    payer = await openPayer(stack, 1_000_000_000n);
    payTo = await openSeller(stack);
  });
  after(async () => {
    await stack?.close();
    rmSync(build, { recursive: true, force: true });
  });

  for (const { name, file, there } of APIS) {
    describe(name, { skip: there ? false : 'it is not installed here' }, () => {
      let api: ChildProcess;
      let shop: Shop;
      before(async () => {
        const port = await freePort();
        let command = [python, join(folder, file)];
        if (file.endsWith('.go')) {
          const binary = join(build, 'api');
          const built = spawnSync('go', ['build', '-o', binary, join(folder, file)]);
          assert.equal(built.status, 0, String(built.stderr));
          command = [binary];
        }
        api = spawn(command[0] ?? '', [...command.slice(1), String(port)], { stdio: 'ignore' });
        const url = `http://127.0.0.1:${port}`;
        for (let tries = 0; tries < 200; tries++) {
          if (
            await ask(url, '/free').then(
              ({ status }) => status === 200,
              () => false,
            )
          )
            break;
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
        shop = await openShop(
          `upstream: ${url}\npayTo: ${payTo.address}\nroutes:\n  GET /weather/{city}: 0.01\n  GET /free: free\notherwise: free\n`,
          { facilitatorUrl: stack.facilitator.url },
        );
      });
      after(async () => {
        await shop?.close();
        api?.kill('SIGKILL');
      });

      it('is bought from', async () => {
        const { url } = shop.proxy;
        assert.equal((await ask(url, '/free')).status, 200);
        const header = await sign(stack, payer, payTo, url, '/weather/Lima');
        const answer = await ask(url, '/weather/Lima', {
          headers: { 'payment-signature': header },
        });
        assert.equal(answer.status, 200, String(answer.body));
        assert.match(String(answer.body), /sunny/);
        assert.equal(receiptIn(answer)['success'], true);
      });

      it('gives nothing away in 300 raw spellings, even if everything else is free', async () => {
        const all = attempts();
        assert.ok(all.length >= 300, String(all.length));
        const free: string[] = [];
        for (let at = 0; at < all.length; at += 24) {
          const some = all.slice(at, at + 24);
          const answers = await Promise.all(some.map((text) => raw(shop.proxy.port, text)));
          free.push(...some.filter((_, index) => answers[index]?.includes('sunny')));
        }
        assert.deepEqual(free, []);
      });
    });
  }
});
