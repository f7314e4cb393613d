import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { buildIfStale, install, root } from '../../scripts/prepare.mjs';

const packages = fileURLToPath(new URL('.', import.meta.url));

/** How each framework runs its suite, beside the packages that it has to find. */
const RUNS = {
  Jest: ['jest/bin/jest.js', '--rootDir=.', '--testMatch=**/jest.test.cjs'],
  Vitest: ['vitest/vitest.mjs', 'run', 'suites/vitest.test.mjs'],
  Mocha: ['mocha/bin/mocha.js', 'suites/mocha.test.cjs'],
  'node:test': [undefined, '--test', 'suites/node.test.mjs'],
} as const;

describe('A suite with a network ends, with status 0 and without complaints, under', () => {
  let folder = '';
  before(async () => {
    await install(packages);
    await buildIfStale();
    folder = mkdtempSync(join(tmpdir(), 'svc-x402-frameworks-'));
    cpSync(join(packages, 'suites'), join(folder, 'suites'), { recursive: true });
    cpSync(join(packages, 'package.json'), join(folder, 'package.json'));
    symlinkSync(join(packages, 'node_modules'), join(folder, 'node_modules'), 'junction');
    const own = join(packages, 'node_modules', 'svc-x402');
    if (!existsSync(own)) symlinkSync(root, own, 'junction');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const [name, [program, ...args]] of Object.entries(RUNS)) {
    it(`${name} at its newest version`, () => {
      const file = program === undefined ? [] : [join(folder, 'node_modules', program)];
      // A test runner inside a test runner reports to the outer one otherwise.
      const { NODE_TEST_CONTEXT: _, ...env } = process.env;
      const { status, stdout, stderr } = spawnSync(process.execPath, [...file, ...args], {
        cwd: folder,
        encoding: 'utf8',
        timeout: 120_000,
        env: { ...env, CI: 'true', NO_COLOR: '1' },
      });
      const output = stdout + stderr;
      assert.equal(status, 0, output);
      assert.match(output, /\b3 pass|\bpass 3|\b1?[13] passed/);
      assert.doesNotMatch(output, /torn down|did not exit|[Uu]nhandled|Cannot log after/);
    });
  }

  it('each framework that docs/testing.md names is here', () => {
    const page = readFileSync(join(root, 'docs', 'testing.md'), 'utf8');
    const [, table = ''] = page.split('| Framework | |');
    const [rows = ''] = table.split('\n\n');
    const named = [...rows.matchAll(/^\| ([^|-][^|]*?) \|/gm)].map(([, name]) => name);
    assert.deepEqual(named.sort(), Object.keys(RUNS).sort());
  });
});
