import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import * as z from 'zod/mini';
import { startLedger } from '../../network/src/index.ts';
import { parseServiceFile } from '../../src/machine/index.ts';
import { discoveryListSchema } from '../../src/protocol/wire/index.ts';
import { openStore } from '../../src/server/store/index.ts';
import { MIGRATIONS } from '../../src/server/store/migrations/index.ts';
import { CliProcess, temporaryFolder } from './cliProcess.ts';

const OLD = fileURLToPath(new URL('../data/from-0.3.0/', import.meta.url));
const ANY_PORT = ['--ledger-port', '0', '--facilitator-port', '0'];

const trust = z.object({ settlements: z.number(), uniquePayers: z.number() });
const expectedSchema = z.object({
  settlements: z.array(
    z.object({
      transaction: z.string(),
      payer: z.string(),
      payTo: z.string(),
      scheme: z.string(),
      ledger: z.number(),
      request: z.unknown(),
      answer: z.object({ amount: z.string() }),
    }),
  ),
  catalog: z.object({ items: z.array(z.object({ resource: z.string(), trust })) }),
  policy: z.object({
    id: z.string(),
    wallet: z.string(),
    attachTxHash: z.string(),
    contract: z.object({ contractId: z.string() }),
  }),
});
const expected = expectedSchema.parse(JSON.parse(readFileSync(join(OLD, 'expected.json'), 'utf8')));

/** Copies the data folder of 0.3.0, with its compressed files unpacked. */
function unpack(into: string): void {
  const from = join(OLD, 'data');
  for (const name of readdirSync(from, { recursive: true, encoding: 'utf8' })) {
    const path = join(from, name);
    if (statSync(path).isDirectory()) continue;
    const content = readFileSync(path);
    const packed = name.endsWith('.gz');
    const target = join(into, packed ? name.slice(0, -3) : name);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, packed ? gunzipSync(content) : content, { mode: 0o600 });
  }
}

describe('A data folder of 0.3.0', () => {
  const folder = temporaryFolder();
  let dev: CliProcess;
  let url = '';
  let rpcUrl = '';

  async function start(): Promise<void> {
    const quiet = ['--json', '--log-level', 'warn', '--data-dir', folder.path];
    dev = new CliProcess(['dev', '--no-demo', ...quiet, ...ANY_PORT]);
    await dev.event('serving');
    const service = parseServiceFile(readFileSync(join(folder.path, 'service.json'), 'utf8'));
    url = service?.facilitatorUrl ?? '';
    rpcUrl = service?.network.rpcUrl ?? '';
  }
  async function ask(path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(
      url + path,
      body === undefined
        ? {}
        : {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(body),
          },
    );
    return response.json();
  }
  async function rpc(method: string, params: unknown): Promise<unknown> {
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return z.parse(z.object({ result: z.unknown() }), await response.json()).result;
  }

  before(async () => {
    unpack(folder.path);
    await start();
  });
  after(async () => {
    await dev.stop();
    folder.remove();
  });

  it('reports every settlement by its hash', async () => {
    for (const { transaction, ledger } of expected.settlements) {
      const found = z.parse(
        z.object({ state: z.string(), transaction: z.string(), ledger: z.number() }),
        await ask(`/settlements/${transaction}`),
      );
      assert.deepEqual(found, { state: 'settled', transaction, ledger });
    }
  });

  it('refuses each paid authorization as used, and names the payment', async () => {
    for (const { request, transaction } of expected.settlements) {
      const again = z.parse(
        z.object({ success: z.boolean(), extra: z.optional(z.record(z.string(), z.unknown())) }),
        await ask('/settle', request),
      );
      assert.equal(again.success, false);
      assert.equal(again.extra?.['transaction'], transaction, JSON.stringify(again));
    }
  });

  it('lists every resource with its settlements and payers', async () => {
    const counts = (items: readonly { resource: string; trust: z.infer<typeof trust> }[]) =>
      items.map((item) => [item.resource, item.trust.settlements, item.trust.uniquePayers]).sort();
    const { items } = discoveryListSchema.parse(await ask('/discovery/resources'));
    const now = items.map(({ resource, trust: counted }) => ({
      resource,
      trust: z.parse(trust, counted),
    }));
    assert.deepEqual(counts(now), counts(expected.catalog.items));
    const { resources } = z.parse(
      z.object({ resources: z.array(z.object({ resource: z.string() })) }),
      await ask('/discovery/search?query=weather'),
    );
    assert.equal(resources[0]?.resource, 'http://127.0.0.1:4022/weather/Lima');
  });

  it('lists the wallet’s policy as recorded, with its contract on the ledger', async () => {
    const { policies } = z.parse(
      z.object({
        policies: z.array(
          z.object({
            policy: z.object({
              id: z.string(),
              state: z.string(),
              contract: z.object({ contractId: z.string() }),
            }),
          }),
        ),
      }),
      await ask(`/policies/wallets/${expected.policy.wallet}`),
    );
    const { id, contract } = expected.policy;
    assert.deepEqual(
      policies.map(({ policy }) => policy),
      [{ id, state: 'recorded', contract: { contractId: contract.contractId } }],
    );
  });

  it('replays the ledger: each transaction is found in its ledger', async () => {
    for (const { transaction, ledger } of expected.settlements) {
      const found = z.parse(
        z.object({ status: z.string(), ledger: z.number() }),
        await rpc('getTransaction', { hash: transaction }),
      );
      assert.deepEqual(found, { status: 'SUCCESS', ledger });
    }
    const { sequence } = z.parse(
      z.object({ sequence: z.number() }),
      await rpc('getLatestLedger', {}),
    );
    assert.ok(sequence >= Math.max(...expected.settlements.map(({ ledger }) => ledger)));
  });

  it('is served again after a restart', async () => {
    assert.equal((await dev.stop()).code, 0);
    const store = await openStore({ databaseUrl: null, dataFolder: folder.path });
    const rows = await store.all<{ name: string }>('SELECT name FROM schema_migrations');
    await store.close();
    assert.deepEqual(
      rows.map(({ name }) => name).sort(),
      MIGRATIONS.map(({ name }) => name).sort(),
    );
    await start();
    const [first] = expected.settlements;
    const found = z.parse(
      z.object({ state: z.string() }),
      await ask(`/settlements/${first?.transaction}`),
    );
    assert.equal(found.state, 'settled');
  });

  it('takes the payment of a new buyer', async () => {
    assert.equal((await dev.stop()).code, 0);
    const args = ['dev', '--exit', '--json', '--data-dir', folder.path, ...ANY_PORT];
    const again = new CliProcess(args);
    const paid = await again.event('paid');
    assert.equal(
      z.parse(z.object({ settled: z.object({ status: z.number() }) }), paid).settled.status,
      200,
    );
    assert.equal((await again.ended).code, 0);
    await start();
  });
});

describe('A state from svc_dumpState of 0.3.0', () => {
  it('can be loaded into a present network', async () => {
    const state = z.parse(
      z.object({ passphrase: z.string(), state: z.string() }),
      JSON.parse(gunzipSync(readFileSync(join(OLD, 'state.json.gz'))).toString()),
    );
    const ledger = await startLedger({ port: 0 });
    try {
      await ledger.control('svc_loadState', state);
      const key = expected.settlements[0]?.payTo ?? '';
      const response = await fetch(`${ledger.urls?.horizon}/accounts/${key}`);
      const { balances } = z.parse(
        z.object({ balances: z.array(z.object({ balance: z.string() })) }),
        await response.json(),
      );
      const paid = expected.settlements
        .filter(({ payTo }) => payTo === key)
        .reduce((sum, { answer }) => sum + BigInt(answer.amount), 0n);
      const [usdc] = balances;
      assert.equal(BigInt((usdc?.balance ?? '').replace('.', '')), paid);
    } finally {
      await ledger.close();
    }
  });
});

const APPS = [
  { name: 'express', file: 'src/app.js', routes: ['GET /report', 'GET /items/:id', 'POST /ask'] },
  { name: 'fastify', file: 'app.ts', routes: ['GET /report', 'GET /items/:id'] },
  { name: 'next', file: 'app/report/route.ts', routes: ['GET /report'] },
] as const;

describe('An app whose payments 0.3.0 wrote', () => {
  for (const { name, file, routes } of APPS) {
    it(`${name}: payments are found, their prices change, and removal gives the file back`, async () => {
      const folder = temporaryFolder();
      try {
        cpSync(join(OLD, 'projects', name, 'gated'), folder.path, { recursive: true });
        const path = join(folder.path, file);
        const run = async (...args: string[]) => {
          const { code, stdout, stderr } = await new CliProcess(args).ended;
          assert.equal(code, 0, stderr);
          return stdout;
        };
        const listed = await run('list', folder.path);
        for (const route of routes) {
          assert.match(listed, new RegExp(`${route.replaceAll('/', '\\/')} +paid`));
          await run('price', path, '--route', route, '--price', '0.05');
        }
        const priced = readFileSync(path, 'utf8');
        assert.equal(priced.match(/'\$0\.05'/g)?.length, routes.length);
        assert.doesNotMatch(priced, /\$0\.02/);
        for (const route of routes) await run('remove', path, '--route', route);
        assert.equal(
          readFileSync(path, 'utf8'),
          readFileSync(join(OLD, 'projects', name, 'before', file), 'utf8'),
        );
      } finally {
        folder.remove();
      }
    });
  }
});
