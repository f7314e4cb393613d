// Types, lint and format, import directions, cycles of folders, dead code, prose: in parallel, with a line for each.
// usage: node scripts/check.mjs [types|page|lint|imports|folders|deadcode|prose|budgets …]

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { install, root } from './prepare.mjs';

const folders = ['common', 'network', 'src', 'test', 'bench'].filter((folder) =>
  existsSync(join(root, folder)),
);

const checks = {
  types: [
    'node_modules/typescript/bin/tsc',
    '-p',
    '.',
    '--incremental',
    '--tsBuildInfoFile',
    'build/types.tsbuildinfo',
  ],
  // What runs in browsers has their types, which nothing else may use.
  page: [
    'node_modules/typescript/bin/tsc',
    ...['-p', 'src/payPage', '--incremental', '--tsBuildInfoFile', 'build/page.tsbuildinfo'],
  ],
  lint: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
  imports: [
    'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
    '--output-type',
    'err',
    ...folders,
  ],
  folders: [
    'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
    ...['--config', '.dependency-cruiser-folders.cjs', '--output-type', 'err'],
    ...folders.filter((folder) => folder !== 'test' && folder !== 'bench'),
  ],
  deadcode: ['node_modules/knip/bin/knip.js', '--no-progress'],
  prose: ['test/prose/prose.mjs', '--list', '--strict'],
  // Only by its name: it measures what was built.
  budgets: ['scripts/checkBudgets.mjs'],
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in checks));
if (unknown.length > 0) {
  console.error(
    `No check is called ${unknown.join(', ')}. There are: ${Object.keys(checks).join(', ')}.`,
  );
  process.exit(2);
}

// The prose linter has its own packages, so that `npm start` and the tests do not wait for them.
if (asked.length === 0 || asked.includes('prose')) {
  try {
    await install(join(root, 'test', 'prose'));
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}

const results = await Promise.all(
  Object.entries(checks)
    .filter(([name]) => (asked.length === 0 ? name !== 'budgets' : asked.includes(name)))
    .map(([name, [bin, ...args]]) => run(name, bin, args)),
);
const failed = results.filter((passed) => !passed).length;
console.log(`checks: ${results.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

function run(name, bin, args) {
  const start = performance.now();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [bin, ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = [];
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.stderr.on('data', (chunk) => output.push(chunk));
    child.on('close', (code) => {
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      console.log(`${code === 0 ? 'ok' : 'FAILED'}  ${name}  ${seconds} s`);
      if (code !== 0) console.log(Buffer.concat(output).toString().trimEnd());
      resolve(code === 0);
    });
  });
}
