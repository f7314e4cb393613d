// Runs the tests: every `*.test.ts` under src, test and bench, or those under the given paths.
// usage: node scripts/runTests.mjs [PATH…] [--name PATTERN] [--concurrency N] [--quick | --rest]
// --quick skips the unit tests that are slow by design; --rest runs those and everything under test.

import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import './explainOptions.mjs';
import { compileTests } from './compileTests.mjs';

/** Unit tests with many rounds. They take two thirds of the time of src, and changes rarely break them. */
const LONG = [
  'src/ledger/host/contractCode.test.ts',
  'src/ledger/host/endurance.test.ts',
  'src/ledger/host/recovery.test.ts',
  'src/ledger/transaction/operations/accountOperations.property.test.ts',
  'src/ledger/transaction/operations/marketProperties.test.ts',
  'src/ledger/transaction/operations/pathPayment.test.ts',
  'src/server/search/memory/memoryIndex.test.ts',
  'src/server/search/memory/vectorIndex.test.ts',
  'src/server/search/sql/sqlIndex.test.ts',
];

const root = fileURLToPath(new URL('..', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    name: { type: 'string' },
    concurrency: { type: 'string', default: '2' },
    quick: { type: 'boolean', default: false },
    rest: { type: 'boolean', default: false },
  },
});

const moved = LONG.filter((file) => !existsSync(join(root, file)));
if (moved.length > 0) {
  console.error(`LONG in scripts/runTests.mjs names files that do not exist: ${moved.join(', ')}.`);
  process.exit(1);
}
const all = values.quick
  ? ['src', 'bench']
  : values.rest
    ? ['test', ...LONG]
    : ['src', 'test', 'bench'];
const places = positionals.length > 0 ? positionals : all;
const files = places
  .flatMap((place) => testFiles(resolve(root, place)))
  .filter((file) => !values.quick || !LONG.some((long) => file === join(root, long)))
  .sort();
if (files.length === 0) {
  console.error(`No *.test.ts under ${places.join(', ')}.`);
  process.exit(1);
}

const reporter = pathToFileURL(join(root, 'scripts', 'testReporter.mjs')).href;
const child = spawn(
  process.execPath,
  [
    '--enable-source-maps',
    '--test',
    `--test-concurrency=${values.concurrency}`,
    `--test-reporter=${reporter}`,
    ...(values.name ? [`--test-name-pattern=${values.name}`] : []),
    ...(await compileTests(files)),
  ],
  { cwd: root, stdio: 'inherit' },
);
child.on('close', (code) => process.exit(code ?? 1));

function testFiles(place) {
  if (!existsSync(place)) return [];
  if (statSync(place).isFile()) return [place];
  return readdirSync(place, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules') return [];
    const path = join(place, entry.name);
    if (entry.isDirectory()) return testFiles(path);
    return entry.name.endsWith('.test.ts') ? [path] : [];
  });
}
