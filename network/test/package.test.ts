import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const network = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(network, 'package.json'), 'utf8')) as {
  version: string;
};
/** A developer should not wait longer for the first test, download aside. */
const MAX_FIRST_TEST_MS = 60_000;
/** In units of 1,000,000 bytes. */
const MAX_PACKED_MB = 2.5;

const START_27 = `
import { startLedger } from 'svc-stellar-network';
try {
  const ledger = await startLedger({ port: null, protocol: 27 });
  console.log((await ledger.call('getNetwork')).protocolVersion);
  await ledger.close();
} catch ({ code, message }) {
  console.log(code + ': ' + message);
}
`;

describe('The package svc-stellar-network, in an empty folder', () => {
  let folder = '';
  const inFolder = (command: string, ...args: string[]): string =>
    execFileSync(command, args, {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      // A test that starts another test process must not pass its own reporter on.
      env: { ...process.env, NODE_TEST_CONTEXT: undefined },
    });
  const tarball = (name: string): string => join(folder, `${name}-${version}.tgz`);
  const install = (name: string): string =>
    inFolder('npm', 'install', '--offline', '--no-audit', '--no-fund', tarball(name));

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-stellar-network-'));
    execFileSync(process.execPath, [join(network, 'scripts', 'pack.mjs'), folder], {
      stdio: 'pipe',
    });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("installs without a registry, and the README's first test passes within a minute", (t) => {
    const [, example = ''] =
      /^```js\n([\s\S]*?)^```$/m.exec(readFileSync(join(network, 'README.md'), 'utf8')) ?? [];
    writeFileSync(join(folder, 'first.test.mjs'), example);
    const start = performance.now();
    install('svc-stellar-network');
    const installed = performance.now();
    const output = inFolder(process.execPath, '--test', '--test-reporter=tap', 'first.test.mjs');
    const end = performance.now();
    assert.match(output, /^# pass 1$/m);
    assert.match(output, /^# fail 0$/m);
    const packed = statSync(tarball('svc-stellar-network')).size / 1e6;
    t.diagnostic(
      `${packed.toFixed(2)} MB packed; installed in ${Math.round(installed - start)} ms, tested in ${Math.round(end - installed)} ms`,
    );
    assert.ok(packed <= MAX_PACKED_MB, `${packed} MB`);
    assert.ok(end - start <= MAX_FIRST_TEST_MS, `${end - start} ms`);
  });

  it('has the host of one protocol, and names the package of the other', () => {
    writeFileSync(join(folder, 'start27.mjs'), START_27);
    assert.equal(
      inFolder(process.execPath, 'start27.mjs'),
      "HOST_NOT_INSTALLED: The host of protocol 27 isn't installed. Install the package svc-stellar-network-27.\n",
    );
  });

  it('finds the host of the other protocol once its package is installed', () => {
    install('svc-stellar-network-27');
    assert.equal(inFolder(process.execPath, 'start27.mjs'), '27\n');
  });

  it('has the version of the other packages', () => {
    const root = JSON.parse(readFileSync(join(network, '..', 'package.json'), 'utf8')) as {
      version: string;
    };
    assert.equal(version, root.version);
  });
});
