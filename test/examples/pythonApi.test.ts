import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { balancesOf, openPayer, openSeller } from '../support/accounts.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';

const folder = fileURLToPath(new URL('../../examples/python-api/', import.meta.url));
const python = process.env['PYTHON'] ?? 'python3';
const packages = ['x402', 'stellar_sdk', 'flask', 'requests', 'httpx'];
const found =
  spawnSync(python, ['-c', `import ${packages.join(', ')}`], { stdio: 'ignore' }).status === 0;
const skip = found
  ? false
  : `${python} has no packages of examples/python-api: name another interpreter with PYTHON`;

interface Bought {
  readonly status: number;
  readonly body: string;
  readonly payment: { readonly success: boolean; readonly transaction: string } | null;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe('examples/python-api, with the published package x402 for Python', () => {
  let stack: LocalStack;
  let payer: TestKey;
  let payTo: TestKey;
  let seller: ChildProcess;
  let url = '';
  before(async () => {
    if (!found) return;
    stack = await startLocalStack();
    payer = await openPayer(stack, 10_000_000n);
    payTo = await openSeller(stack);
    const port = await freePort();
    url = `http://127.0.0.1:${port}/weather/Lima`;
    seller = start('seller.py', {
      FACILITATOR_URL: stack.facilitator.url,
      PAY_TO: payTo.address,
      PORT: `${port}`,
    });
    const ended = new Promise<never>((_, reject) =>
      seller.once('exit', () => reject(new Error('the seller ended'))),
    );
    const listening = async () => {
      while (!(await fetch(url).then(Boolean, () => false))) {
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    };
    await Promise.race([listening(), ended]);
  });
  after(async () => {
    seller?.kill();
    await stack?.close();
  });

  function start(program: string, variables: Readonly<Record<string, string>>): ChildProcess {
    return spawn(python, [program], {
      cwd: folder,
      env: { PATH: process.env['PATH'], PYTHONDONTWRITEBYTECODE: '1', ...variables },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  }

  /** The network is in this process: nothing here may block it. */
  async function buy(): Promise<Bought> {
    const buyer = start('buyer.py', {
      STELLAR_RPC_URL: stack.rpcUrl,
      PAYER_SECRET: payer.secret,
      RESOURCE_URL: url,
    });
    assert.ok(buyer.stdout);
    return JSON.parse(await text(buyer.stdout)) as Bought;
  }

  it('the seller asks for 0.01 USDC, the buyer pays it, and the receipt agrees with the ledger', {
    skip,
  }, async () => {
    const unpaid = await fetch(url);
    assert.equal(unpaid.status, 402);
    const head = await fetch(url, { method: 'HEAD' });
    // The handler would have described its content.
    assert.notEqual(head.headers.get('content-type'), 'application/json');
    assert.equal(head.status, 200);
    const { status, body, payment } = await buy();
    assert.equal(status, 200);
    assert.deepEqual(JSON.parse(body), { city: 'Lima', tempC: 19 });
    assert.equal(payment?.success, true);
    const known = await fetch(`${stack.facilitator.url}/settlements/${payment.transaction}`);
    assert.equal(((await known.json()) as { state: string }).state, 'settled');
    assert.equal((await balancesOf(stack, payTo.address)).usdc, 100_000n);
  });

  it('what it sells is listed, with its method and input', { skip }, async () => {
    const listed = await fetch(`${stack.facilitator.url}/discovery/resources`);
    const { items } = (await listed.json()) as { items: { resource: string; method: string }[] };
    const { origin } = new URL(url);
    assert.deepEqual(
      items.map(({ resource, method }) => [resource, method]),
      [[`${origin}/weather/:city`, 'GET']],
    );
  });
});
