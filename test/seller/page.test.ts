import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ask, receiptIn, sign } from '../proxy/support/shop.ts';
import { openPayer, openSeller } from '../support/accounts.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(join(root, 'docs', 'seller.md'), 'utf8');
const examples = [...page.matchAll(/<!-- file: (\S+) -->\n```js\n([\s\S]*?)^```$/gm)];

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return address.port;
}

describe('The examples of docs/seller.md, with the packed library', () => {
  let stack: LocalStack;
  let payer: TestKey;
  let payTo: TestKey;
  let folder = '';
  before(async () => {
    stack = await startLocalStack();
    payer = await openPayer(stack, 1_000_000_000n);
    payTo = await openSeller(stack);
    folder = mkdtempSync(join(tmpdir(), 'svc-x402-seller-'));
    const packages = join(folder, 'node_modules');
    mkdirSync(packages);
    symlinkSync(root, join(packages, 'svc-x402'));
    for (const name of ['express', 'hono', '@hono', 'fastify']) {
      symlinkSync(join(root, 'node_modules', name), join(packages, name));
    }
  });
  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    await stack.close();
  });

  it('there is one for each adapter', () => {
    const names = examples.map(([, name]) => name);
    assert.deepEqual(names, ['express.mjs', 'hono.mjs', 'fastify.mjs', 'fetch.mjs']);
  });

  for (const [, name = '', text = ''] of examples) {
    it(`${name} is paid, and repeats its response`, async () => {
      writeFileSync(join(folder, name), text);
      const port = await freePort();
      const app = spawn(process.execPath, [name], {
        cwd: folder,
        env: {
          ...process.env,
          ...{ PORT: String(port), PAY_TO: payTo.address },
          FACILITATOR_URL: stack.facilitator.url,
        },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let errors = '';
      app.stderr.on('data', (text) => {
        errors += text;
      });
      try {
        const url = `http://127.0.0.1:${port}`;
        const deadline = Date.now() + 30_000;
        while (app.exitCode === null && Date.now() < deadline) {
          const isThere = await ask(url, '/weather/Lima').catch(() => undefined);
          if (isThere !== undefined) break;
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        assert.equal(app.exitCode, null, errors);
        const header = await sign(stack, payer, payTo, url, '/weather/Lima');
        const headers = { 'payment-signature': header };
        const answer = await ask(url, '/weather/Lima', { headers });
        assert.equal(answer.status, 200, answer.body.toString());
        assert.equal(JSON.parse(answer.body.toString()).paidBy, payer.address);
        assert.equal(receiptIn(answer)['success'], true);
        const again = await ask(url, '/weather/Lima', { headers });
        assert.deepEqual([again.status, again.body], [200, answer.body]);
      } finally {
        app.kill();
      }
    });
  }
});
