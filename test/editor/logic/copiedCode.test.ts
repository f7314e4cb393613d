import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import ts from 'typescript';
import { nodeTransport } from '../../../src/extension/http/nodeTransport.ts';
import type { BuiltRequest } from '../../../src/extension/request/builtRequest.ts';
import { asCurl, asSdkCode } from '../../../src/extension/request/copyAs.ts';
import { createLocalWallet } from '../../../src/extension/testPayment/localWallet.ts';
import { storedKey } from '../../../src/extension/testPayment/throwawayKey.ts';
import { USDC_CONTRACT } from '../../../src/protocol/index.ts';
import { balancesOf, openPayer } from '../../support/accounts.ts';
import { NOT_INSTALLED } from '../../support/canonical.ts';
import { type LocalStack, startLocalStack } from '../../support/localStack.ts';
import { type PaidSeller, sellerInstalled, startPaidSeller } from '../../support/paidSeller.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);
const LIMIT = { amount: 100_000n, asset: USDC_CONTRACT, rpcUrl: 'http://127.0.0.1:8000/rpc' };
const AWKWARD = {
  method: 'POST',
  headers: { 'content-type': 'text/plain', 'x-quote': `it's "$HOME" \\ \`x\`` },
  body: ["line one\r\nit's $", '{HOME} `id` \\n "quoted" 100% \u2028 ü'].join(''),
} as const;

/** A server that records what it receives, and asks for no payment. */
async function recorder() {
  const seen: { request: IncomingMessage; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      seen.push({ request, body });
      response.end('received');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { seen, url: `http://127.0.0.1:${port}/quote?a=1&b=it's%20c`, server };
}

/** What the compiler says about files; about nothing that they import. */
function typeErrors(files: readonly string[]): readonly string[] {
  const program = ts.createProgram(files, {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    noPropertyAccessFromIndexSignature: true,
    // The declarations of the package are generated from it.
    paths: { 'svc-x402/sdk': [join(root, 'src/sdk/index.ts')] },
    allowImportingTsExtensions: true,
    types: ['node'],
  });
  return files.flatMap((file) => {
    const source = program.getSourceFile(file);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
      .map((text) => `${file}: ${text}`);
  });
}

describe('[finding: E5] what the panel copies', {
  skip: existsSync(join(root, 'dist/sdk.node.mjs')) ? false : 'dist is not built: npm run build',
}, () => {
  let folder = '';
  before(() => {
    // Inside this package, whose name the copied code imports.
    mkdirSync(join(root, 'build'), { recursive: true });
    folder = mkdtempSync(join(root, 'build', 'copied-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  const requests: readonly BuiltRequest[] = [
    { method: 'GET', url: 'http://localhost:3000/weather', headers: {}, body: undefined },
    { ...AWKWARD, url: 'http://localhost:3000/quote' },
  ];

  it('as SDK code compiles, in strict TypeScript, with nothing left to define', () => {
    const codes = requests.flatMap((request) =>
      [USDC_CONTRACT, 'CASSET'].map((asset) => asSdkCode(request, { ...LIMIT, asset })),
    );
    const files = codes.map((code, index) => {
      const file = join(folder, `copied${index}.mts`);
      writeFileSync(file, code);
      return file;
    });
    assert.deepEqual(typeErrors(files), []);
    const broken = join(folder, 'broken.mts');
    writeFileSync(broken, 'console.log(wallet);\n');
    assert.equal(typeErrors([broken]).length, 1);
  });

  it('as SDK code sends the request of the panel', async () => {
    const { seen, url, server } = await recorder();
    const file = join(folder, 'free.mjs');
    writeFileSync(file, asSdkCode({ ...AWKWARD, url }, LIMIT));
    const { secret } = storedKey();
    const { stdout } = await run(process.execPath, [file], {
      env: { PATH: process.env['PATH'], PAYER_SECRET: secret },
    });
    server.close();
    assert.equal(stdout.trim(), '200 received');
    assertReceived(seen, url);
  });

  it('as curl sends the request of the panel', {
    skip: process.platform === 'win32' ? 'a POSIX shell is needed' : false,
  }, async () => {
    const { seen, url, server } = await recorder();
    const { stdout } = await run('/bin/sh', ['-c', asCurl({ ...AWKWARD, url })]);
    server.close();
    assert.match(stdout, /^HTTP\/1\.1 200 OK[\s\S]*received$/);
    assertReceived(seen, url);
  });

  function assertReceived(
    seen: readonly { request: IncomingMessage; body: string }[],
    url: string,
  ) {
    assert.equal(seen.length, 1);
    const [{ request, body } = assert.fail()] = seen;
    assert.equal(request.method, 'POST');
    assert.equal(new URL(request.url ?? '', url).href, new URL(url).href);
    assert.equal(request.headers['content-type'], AWKWARD.headers['content-type']);
    assert.equal(request.headers['x-quote'], AWKWARD.headers['x-quote']);
    assert.equal(body, AWKWARD.body);
  }

  describe('against a paid endpoint', { skip: sellerInstalled ? false : NOT_INSTALLED }, () => {
    let stack: LocalStack;
    let seller: PaidSeller;
    before(async () => {
      stack = await startLocalStack();
      const { address } = await createLocalWallet(
        stack.rpcUrl,
        stack.friendbotUrl,
        nodeTransport(),
        new AbortController().signal,
      );
      seller = await startPaidSeller({ facilitatorUrl: stack.facilitator.url, payTo: address });
    });
    after(async () => {
      await seller?.stop();
      await stack?.close();
    });

    it('as SDK code pays, and prints what was bought', async () => {
      const payer = await openPayer(stack, 1_000_000n);
      const file = join(folder, 'paid.mjs');
      const request = { method: 'GET', url: seller.url, headers: {}, body: undefined };
      writeFileSync(file, asSdkCode(request, { ...LIMIT, rpcUrl: stack.rpcUrl }));
      const { stdout } = await run(process.execPath, [file], {
        env: { PATH: process.env['PATH'], PAYER_SECRET: payer.secret },
      });
      assert.match(stdout, /^200 \S/);
      assert.equal((await balancesOf(stack, payer.address)).usdc, 900_000n);
    });

    it('as curl shows the terms, and pays nothing', async () => {
      const request = { method: 'GET', url: seller.url, headers: {}, body: undefined };
      const { stdout } = await run('/bin/sh', ['-c', asCurl(request)]);
      assert.match(stdout, /^HTTP\/1\.1 402 [\s\S]*payment-required:/i);
    });
  });
});
