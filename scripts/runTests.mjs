// Runs the tests: every `*.test.ts` under src, test and bench, or those under the paths given.
// usage: node scripts/runTests.mjs [PATH…] [--name PATTERN] [--concurrency N]

import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    name: { type: 'string' },
    concurrency: { type: 'string', default: '2' },
  },
});

const places = positionals.length > 0 ? positionals : ['src', 'test', 'bench'];
const files = places.flatMap((place) => testFiles(resolve(root, place))).sort();
if (files.length === 0) {
  console.error(`No *.test.ts under ${places.join(', ')}.`);
  process.exit(1);
}

const reporter = pathToFileURL(join(root, 'scripts', 'testReporter.mjs')).href;
const child = spawn(
  process.execPath,
  [
    '--import',
    'tsx',
    '--test',
    `--test-concurrency=${values.concurrency}`,
    `--test-reporter=${reporter}`,
    ...(values.name ? [`--test-name-pattern=${values.name}`] : []),
    ...files,
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
