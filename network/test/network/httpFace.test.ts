import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { PortError, type RunningLedger, startLedger } from '../../src/index.ts';

interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

function ask(
  url: string,
  options: https.RequestOptions = {},
  body?: string | Buffer,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = url.startsWith('https') ? https.request : http.request;
    const sent = request(url, { agent: false, ...options }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString(),
        }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const HEALTH = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getHealth' });
const POST = { method: 'POST', headers: { 'content-type': 'application/json' } };

describe('the port of the network', () => {
  let folder: string;
  let ledger: RunningLedger;
  let url: string;
  let tls: string;
  let ca: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'port-'));
    ledger = await startLedger({ port: 0, dataFolder: folder });
    assert.ok(ledger.urls && ledger.certificateAuthority);
    url = ledger.urls.http;
    tls = ledger.urls.https;
    ca = ledger.certificateAuthority.pem;
  });
  after(async () => {
    await ledger.close();
    rmSync(folder, { recursive: true });
  });

  it('has RPC at the path of Stellar Quickstart', async () => {
    for (const path of ['/rpc', '/soroban/rpc', '/']) {
      const { status, body } = await ask(url + path, POST, HEALTH);
      assert.equal(status, 200);
      assert.equal(JSON.parse(body).result.status, 'healthy');
    }
    const horizon = await ask(`${url}/`);
    assert.equal(JSON.parse(horizon.body).network_passphrase, ledger.passphrase);
  });

  it('also speaks TLS, under names of this machine', async () => {
    const { port } = new URL(tls);
    for (const host of ['localhost', '127.0.0.1']) {
      const { status } = await ask(`https://${host}:${port}/rpc`, { ...POST, ca }, HEALTH);
      assert.equal(status, 200);
    }
  });

  it('is trusted by a client with NODE_EXTRA_CA_CERTS, and by no other', async () => {
    const file = ledger.certificateAuthority?.file ?? '';
    const sdk = fileURLToPath(import.meta.resolve('@stellar/stellar-sdk'));
    const script = join(folder, 'client.mjs');
    writeFileSync(
      script,
      `import { rpc } from ${JSON.stringify(sdk)};
       const { status } = await new rpc.Server(${JSON.stringify(`${tls}/rpc`)}).getHealth();
       process.exit(status === 'healthy' ? 0 : 1);`,
    );
    const run = (env: NodeJS.ProcessEnv): Promise<number | null> =>
      new Promise((resolve) => {
        const child = spawn(process.execPath, [script], { env, stdio: 'ignore' });
        child.on('exit', resolve);
      });
    const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
    assert.equal(await run({ ...env, NODE_EXTRA_CA_CERTS: file }), 0);
    assert.notEqual(await run(env), 0);
  });

  it('does not reveal its keys', () => {
    const mode = (...path: string[]): number => statSync(join(folder, ...path)).mode & 0o777;
    assert.equal(mode('tls', 'ca.key'), 0o600);
    assert.equal(mode('tls', 'server.key'), 0o600);
    assert.equal(mode('ledger', 'network.json'), 0o600);
  });

  it('answers for loopback names only', async () => {
    const { port } = new URL(url);
    const statusFor = async (host: string): Promise<number> =>
      (await ask(`${url}/`, { headers: { host } })).status;
    for (const name of ['localhost', '127.0.0.1', '[::1]', 'LOCALHOST', 'localhost.']) {
      assert.equal(await statusFor(`${name}:${port}`), 200, name);
    }
    const others = ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', '10.0.0.1'];
    for (const name of others) assert.equal(await statusFor(`${name}:${port}`), 403, name);
    const rpc = { ...POST, headers: { ...POST.headers, host: 'evil.example' } };
    assert.equal((await ask(`${url}/rpc`, rpc, HEALTH)).status, 403);
  });

  it('lets pages call it, as testnet does', async () => {
    const { status, headers } = await ask(`${url}/rpc`, {
      method: 'OPTIONS',
      headers: { origin: 'https://lab.example', 'access-control-request-method': 'POST' },
    });
    assert.equal(status, 204);
    assert.equal(headers['access-control-allow-origin'], '*');
    const answer = await ask(`${url}/rpc`, POST, HEALTH);
    assert.equal(answer.headers['access-control-allow-origin'], '*');
  });

  it('accepts calls only as JSON, of at most half a megabyte', async () => {
    const form = { method: 'POST', headers: { 'content-type': 'text/plain' } };
    assert.equal((await ask(`${url}/rpc`, form, HEALTH)).status, 415);
    const long = Buffer.alloc(512 * 1024 + 1, ' ');
    assert.equal((await ask(`${url}/rpc`, POST, long)).status, 413);
    const fits = Buffer.concat([Buffer.from(HEALTH), Buffer.alloc(400 * 1024, ' ')]);
    assert.equal((await ask(`${url}/rpc`, POST, fits)).status, 200);
  });

  it('survives connections that send nothing or nonsense, or close in the middle', async () => {
    const { port } = new URL(url);
    const talk = (bytes: string | Buffer): Promise<void> =>
      new Promise((resolve) => {
        const socket = connect(Number(port), '127.0.0.1', () => {
          socket.write(bytes);
          setTimeout(() => socket.destroy(), 20);
        });
        socket.on('close', () => resolve());
        socket.on('error', () => {});
      });
    await talk('');
    await talk(Buffer.from([0x16, 3, 1, 0, 1, 0]));
    await talk('BREW /pot HTCPCP/1.0\r\n\r\n');
    await talk(
      'POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
    );
    assert.equal((await ask(`${url}/rpc`, POST, HEALTH)).status, 200);
  });
});

describe('a busy port', () => {
  it('moves to the next free one, or is refused, as set', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    assert.ok(typeof address === 'object' && address !== null);
    const { port } = address;
    try {
      const moved = await startLedger({ port });
      assert.ok((moved.urls?.port ?? 0) > port);
      await moved.close();
      await assert.rejects(
        startLedger({ port, busyPort: 'refuse' }),
        (error) => error instanceof PortError && error.code === 'PORT_BUSY' && error.port === port,
      );
    } finally {
      other.close();
    }
  });

  it('is free again after the network closed', async () => {
    const first = await startLedger({ port: 0 });
    const port = first.urls?.port ?? 0;
    await fetch(`${first.urls?.http}/`);
    await first.close();
    const second = await startLedger({ port, busyPort: 'refuse' });
    assert.equal(second.urls?.port, port);
    await second.close();
  });
});

describe('many networks in one process', () => {
  it('are independent, and need no port', async () => {
    const networks = await Promise.all(
      ['a', 'b', 'a'].map((seed) => startLedger({ port: null, seed, close: { kind: 'manual' } })),
    );
    const [a, b, again] = networks;
    assert.ok(a && b && again);
    assert.equal(a.urls, null);
    assert.deepEqual(a.accounts, again.accounts);
    assert.notEqual(a.accounts.sponsor.address, b.accounts.sponsor.address);
    assert.equal(a.accounts.usdcContract, b.accounts.usdcContract);
    assert.equal(a.closeLedger(), 3);
    const latest = (await b.call('getLatestLedger')) as { sequence: number };
    assert.equal(latest.sequence, 2);
    await Promise.all(networks.map((network) => network.close()));
    await assert.rejects(a.call('sendTransaction', {}));
  });
});
