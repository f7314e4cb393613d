import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { projectRoot } from './pages/projectFile.ts';

const LIBRARY = `
import { startLedger, RpcError } from 'svc-x402/ledger';
import * as own from 'svc-x402';
import * as sdk from 'svc-x402/sdk';
import * as upto from 'svc-x402/upto';
import { createSeller } from 'svc-x402/seller';
const ledger = await startLedger({ port: null });
const { sequence } = await ledger.call('getLatestLedger');
let code;
try { await ledger.call('noSuchMethod'); } catch (error) { code = error instanceof RpcError && error.code; }
await ledger.close();
console.log(JSON.stringify({
  sequence, code,
  own: own.startLedger === startLedger,
  sdk: typeof sdk.createX402Fetch,
  upto: typeof upto.UptoStellarServer,
  seller: typeof createSeller,
}));
`;

describe('The npm package, installed in an empty folder', () => {
  let folder = '';
  const inFolder = (command: string, ...args: string[]) =>
    execFileSync(command, args, {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-x402-installed-'));
    const packed = join(folder, 'svc-x402.tgz');
    execFileSync(process.execPath, ['scripts/packNpm.mjs', packed], {
      cwd: projectRoot,
      stdio: 'pipe',
    });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    // It has no dependencies, so nothing is asked of a registry.
    inFolder('npm', 'install', '--offline', '--no-audit', '--no-fund', packed);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is a library: the network, the SDK, the scheme upto, sellers', () => {
    writeFileSync(join(folder, 'library.mjs'), LIBRARY);
    const told = JSON.parse(inFolder(process.execPath, 'library.mjs')) as Record<string, unknown>;
    const expected = {
      code: -32_601,
      own: true,
      sdk: 'function',
      upto: 'function',
      seller: 'function',
    };
    assert.deepEqual(told, { sequence: told['sequence'], ...expected });
    assert.ok(Number(told['sequence']) >= 1);
  });

  it('is a library for CommonJS too', () => {
    const script =
      "console.log(typeof require('svc-x402').startLedger, typeof require('svc-x402/upto').UptoStellarClient)";
    assert.equal(inFolder(process.execPath, '-e', script), 'function function\n');
  });

  it('is a command', () => {
    assert.match(inFolder('npx', '--no-install', 'svc-x402', '--help'), /^Usage: svc-x402 /);
  });

  it('[finding: O8] has the operator’s files', () => {
    const installed = join(folder, 'node_modules', 'svc-x402');
    assert.deepEqual(
      readdirSync(join(installed, 'deploy')).sort(),
      readdirSync(join(projectRoot, 'deploy')).sort(),
    );
    assert.ok(existsSync(join(installed, 'media', 'x402.schema.json')));
    for (const page of ['docs/operating.md', 'docs/logs.md', 'docs/errors/rate_limited.md']) {
      assert.ok(existsSync(join(installed, page)), page);
    }
  });

  it('[finding: D9] has pages whose links lead to files of the package', () => {
    const installed = join(folder, 'node_modules', 'svc-x402');
    const pages = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.md'),
    );
    assert.ok(pages.length > 100, `${pages.length} pages`);
    let links = 0;
    for (const page of pages) {
      const text = readFileSync(join(installed, page), 'utf8').replaceAll(
        /^```[\s\S]*?^```$/gm,
        '',
      );
      for (const [whole, target = ''] of text.matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)[^)]*\)/g)) {
        links += 1;
        assert.ok(existsSync(join(installed, dirname(page), target)), `${page}: ${whole}`);
      }
    }
    assert.ok(links > 500, `${links} links`);
  });

  it('exposes no path into its sources', () => {
    const script = "import('svc-x402/network/src/index.ts').catch(({ code }) => console.log(code))";
    assert.equal(inFolder(process.execPath, '-e', script), 'ERR_PACKAGE_PATH_NOT_EXPORTED\n');
  });
});
