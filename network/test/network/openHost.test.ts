import assert from 'node:assert/strict';
import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { describe, it } from 'node:test';
import { type LedgerOptions, startLedger } from '../../src/index.ts';

/** The status of `GET /health` at an address, under a name. */
function statusAt(address: string, port: number, host?: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = host === undefined ? {} : { host };
    request({ host: address, port, path: '/health', headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}

const outside = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address;

describe('A network that listens for others', () => {
  it('is reached at every address, by this machine as before', async () => {
    for (const host of ['0.0.0.0', '::', '127.0.0.2', ...(outside ? [outside] : [])]) {
      if (host === '127.0.0.2' && process.platform !== 'linux') continue;
      const ledger = await startLedger({ port: 0, host }).catch((error: unknown) => {
        // A machine without IPv6.
        if (host === '::' && error instanceof RangeError) return undefined;
        throw error;
      });
      const port = ledger?.urls?.port ?? 0;
      if (ledger === undefined) continue;
      assert.equal(await statusAt('127.0.0.1', port), 200, host);
      if (host === '127.0.0.2' || host === outside) assert.equal(await statusAt(host, port), 200);
      else if (outside) assert.equal(await statusAt(outside, port), 200, host);
      await ledger.close();
    }
  });

  it('answers under the names of containers and addresses, and under no name of the public DNS', async (context) => {
    const ledger = await startLedger({ port: 0, host: '0.0.0.0' });
    context.after(() => ledger.close());
    const port = ledger.urls?.port ?? 0;
    const local = [
      'localhost',
      'ledger:8000',
      'host.docker.internal:8000',
      '192.168.1.7',
      '[fe80::1]:80',
    ];
    for (const name of local) assert.equal(await statusAt('127.0.0.1', port, name), 200, name);
    const foreign = [
      'evil.example',
      'evil.example:8000',
      'localhost.evil.example',
      '1.2.3.4.nip.io',
    ];
    for (const name of foreign) assert.equal(await statusAt('127.0.0.1', port, name), 403, name);
  });

  it('is not the default: other addresses and names are refused', async (context) => {
    const ledger = await startLedger({ port: 0 });
    context.after(() => ledger.close());
    const port = ledger.urls?.port ?? 0;
    for (const name of ['ledger', 'host.docker.internal', '192.168.1.7']) {
      assert.equal(await statusAt('127.0.0.1', port, name), 403, name);
    }
    if (outside) await assert.rejects(statusAt(outside, port), { code: 'ECONNREFUSED' });
  });

  it('needs an address of this machine', async () => {
    await assert.rejects(startLedger({ port: 0, host: 'example.com' }), TypeError);
    const absent = { name: 'RangeError', message: /does not have the address 203\.0\.113\.9/ };
    await assert.rejects(startLedger({ port: 0, host: '203.0.113.9' }), absent);
  });
});

describe('An option of another form is refused by its name', () => {
  const refused: readonly [string, unknown, RegExp][] = [
    ['clock', () => 0, /clock must be an object with the functions now, after and soon/],
    ['clock', { now: () => 0 }, /A function that returns the time is its now/],
    ['close', 'manual', /close must be \{ kind: 'demand' \}/],
    ['close', { kind: 'never' }, /close must be/],
    ['accounts', 3, /accounts must be an object: \{ count, balance \}/],
    ['fork', 'http://127.0.0.1:1/rpc', /fork must be an object: \{ rpcUrl, at \}/],
    ['trace', 'failed', /trace must be an object/],
    ['onFault', {}, /onFault must be a function/],
    ['facilitatorUrl', 'http://127.0.0.1:1', /facilitatorUrl must be a function/],
  ];
  for (const [name, value, message] of refused) {
    it(`${name}: ${typeof value === 'function' ? 'a function' : JSON.stringify(value)}`, async () => {
      const options = { port: null, [name]: value } as LedgerOptions;
      await assert.rejects(startLedger(options), { name: 'TypeError', message });
    });
  }
});
