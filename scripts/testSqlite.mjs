// `npm run lab -- sqlite`: runs the store's suites on the oldest and the newest Node with node:sqlite, which it installs from the
// package registry into build/node. Otherwise, those suites skip node:sqlite on an older Node.
// usage: npm run lab -- sqlite [--short] [--name PATTERN]   (--short: only the newest)

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { install, requireNode, root, run } from './prepare.mjs';
import { waiting } from './waiting.mjs';

const VERSIONS = ['22.13.0', '24.21.0'];
const SUITES = [
  'test/store/database.test.ts',
  'test/store/embeddedStore.test.ts',
  'test/store/journal.test.ts',
  'test/store/sqliteEngines.test.ts',
  'test/faults/restart.test.ts',
  'test/policies/policyRecords.test.ts',
  'test/catalog/binding.test.ts',
  'test/catalog/beyond.test.ts',
  'test/catalog/discoveryHttp.test.ts',
  'test/catalog/ownershipChecks.test.ts',
  'test/catalog/quality.test.ts',
  'test/catalog/searchIndexFile.test.ts',
  'src/server/search/sql/sqlIndex.test.ts',
];
/** Names of the suites that use SQLite; those on PostgreSQL do not depend on the Node version. */
const NAMES = 'SQLite|node:sqlite|starts again|After a restart|kept on disk|file was not written';

requireNode();
try {
  await install(root);
  const short = process.argv.includes('--short');
  for (const version of short ? VERSIONS.slice(-1) : VERSIONS) {
    const node = await nodeOf(version);
    console.log(`Node ${version}`);
    const code = await test(node);
    if (code !== 0) process.exit(code);
  }
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

/**
 * Returns the path of a Node, installing it first if necessary.
 *
 * @param {string} version
 */
async function nodeOf(version) {
  const folder = join(root, 'build', 'node', version);
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const program = process.platform === 'win32' ? 'node.exe' : 'node';
  const path = join(folder, 'node_modules', name, 'bin', program);
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
    const args = ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts'];
    await waiting(`installing Node ${version}`, () =>
      run('npm', [...args, `${name}@${version}`], {
        cwd: folder,
        shell: process.platform === 'win32',
      }),
    );
  }
  return path;
}

/** @param {string} node */
function test(node) {
  const args = [
    join('scripts', 'runTests.mjs'),
    ...SUITES,
    '--name',
    NAMES,
    ...process.argv.slice(2).filter((argument) => argument !== '--short'),
  ];
  const child = spawn(node, args, { cwd: root, stdio: 'inherit' });
  return new Promise((resolve) => {
    child.on('close', (code) => resolve(code ?? 1));
  });
}
