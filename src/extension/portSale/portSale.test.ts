import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type Sale, SaleFailed, type SaleOptions, startSale } from './sale.ts';
import { originOf, whatIsWrongWithTarget } from './saleTarget.ts';

const TERMS = {
  upstream: 'http://127.0.0.1:3000',
  price: '0.01',
  payTo: 'GBZXN7PIRZGNMHGA7MUUUF4GWPY5AYPV6LY4UV2GL6VJGIQRXFDNMADI',
  facilitatorUrl: 'http://127.0.0.1:4021',
};

describe('the server that a local port is sold of', () => {
  const nowhere = () => Promise.resolve(false);

  it('is a port or a URL of this machine, without its path', async () => {
    for (const [typed, origin] of [
      ['3000', 'http://127.0.0.1:3000'],
      [' 8000 ', 'http://127.0.0.1:8000'],
      ['http://localhost:3000/docs', 'http://localhost:3000'],
      ['https://127.0.0.1', 'https://127.0.0.1:443'],
      ['http://[::1]:5173/', 'http://[::1]:5173'],
    ] as const) {
      assert.equal(whatIsWrongWithTarget(typed), undefined, typed);
      assert.equal(await originOf(typed, nowhere), origin, typed);
    }
  });

  it('is on IPv6 if it listens only there', async () => {
    assert.equal(
      await originOf('5173', (host) => Promise.resolve(host === '::1')),
      'http://[::1]:5173',
    );
    assert.equal(await originOf('5173', () => Promise.resolve(true)), 'http://127.0.0.1:5173');
  });

  it('is not on another machine, and has no password in its URL', async () => {
    for (const typed of [
      ...['', '0', '65536', 'abc', '3000x', 'ftp://localhost:21', 'http://example.com'],
      ...['http://10.0.0.7:3000', 'http://me:secret@localhost:3000', 'http://localhost.example'],
    ]) {
      assert.notEqual(whatIsWrongWithTarget(typed), undefined, typed);
      assert.equal(await originOf(typed, nowhere), undefined, typed);
    }
  });
});

describe('a sale', () => {
  /** Starts a sale with a program in the place of the command line. */
  async function withProgram<T>(
    code: string,
    options: Partial<SaleOptions>,
    use: (start: () => Promise<Sale>) => Promise<T>,
  ): Promise<T> {
    const folder = mkdtempSync(join(tmpdir(), 'svc-sale-'));
    const bundle = join(folder, 'cli.cjs');
    writeFileSync(bundle, code);
    try {
      return await use(() =>
        startSale({
          ...{ terms: TERMS, bundle, dataFolder: folder, leases: join(folder, 'windows') },
          runtime: { command: process.execPath, environment: {} },
          ...{ isElsewhere: false, onOutput: () => undefined, onEnd: () => undefined },
          withinMs: 20_000,
          ...options,
        }),
      );
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  }
  const SELLS =
    "console.log(JSON.stringify({ event: 'selling', url: 'http://127.0.0.1:4402', got: process.argv.slice(2), database: process.env.DATABASE_URL }));";

  it('begins with the line that says where, has its own keys and database, and ends on request', async () => {
    let output = '';
    let ended = false;
    const sees = {
      onOutput(text: string) {
        output += text;
      },
      onEnd() {
        ended = true;
      },
    };
    await withProgram(`${SELLS} setInterval(() => {}, 1000);`, sees, async (start) => {
      const sale = await start();
      assert.equal(sale.url, 'http://127.0.0.1:4402');
      await sale.stop();
      const said = JSON.parse(output.split('\n')[0] ?? '') as { got: string[]; database: string };
      assert.deepEqual(said.got.slice(0, 6), [
        ...['proxy', TERMS.upstream, '--price', '0.01', '--pay-to', TERMS.payTo],
      ]);
      assert.equal(said.database, '');
      assert.ok(!said.got.includes('--unchecked'));
      assert.equal(ended, false, 'what was stopped did not end by itself');
    });
  });

  it('fails with the reason that the command printed, without its logs', async () => {
    const code =
      'console.error(\'{"level":50,"msg":"x"}\'); console.error("Port 1 is in use."); process.exit(1);';
    await withProgram(code, {}, async (start) => {
      await assert.rejects(
        start(),
        (error) => error instanceof SaleFailed && error.message === 'Port 1 is in use.',
      );
    });
  });

  it('fails if it does not begin in time', async () => {
    await withProgram('setInterval(() => {}, 1000);', { withinMs: 300 }, async (start) => {
      await assert.rejects(start(), /did not start within/);
    });
  });

  it('that ends by itself says so, with the reason', async () => {
    let reason: string | undefined;
    const over = new Promise<void>((resolve) => {
      const onEnd = (end: { reason: string }) => {
        reason = end.reason;
        resolve();
      };
      void withProgram(
        `${SELLS} setTimeout(() => { console.error('out of memory'); process.exit(3); }, 200);`,
        { onEnd },
        async (start) => {
          await start();
          await Promise.race([over, new Promise((done) => setTimeout(done, 20_000).unref())]);
        },
      ).then(resolve, resolve);
    });
    await over;
    assert.equal(reason, 'out of memory');
  });
});
