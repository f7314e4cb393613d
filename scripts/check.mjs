// Types, lint and format, import directions, cycles of folders, dead code: side by side, with a line for each.
// usage: node scripts/check.mjs [types|lint|imports|folders|deadcode …]

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folders = ['src', 'test', 'bench'].filter((folder) => existsSync(`${root}/${folder}`));

const checks = {
  types: [
    'typescript/bin/tsc',
    '-p',
    '.',
    '--incremental',
    '--tsBuildInfoFile',
    'build/types.tsbuildinfo',
  ],
  lint: ['@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
  imports: ['dependency-cruiser/bin/dependency-cruise.mjs', '--output-type', 'err', ...folders],
  folders: [
    'dependency-cruiser/bin/dependency-cruise.mjs',
    ...['--config', '.dependency-cruiser-folders.cjs', '--output-type', 'err', 'src'],
  ],
  deadcode: ['knip/bin/knip.js', '--no-progress'],
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in checks));
if (unknown.length > 0) {
  console.error(
    `No check is called ${unknown.join(', ')}. There are: ${Object.keys(checks).join(', ')}.`,
  );
  process.exit(2);
}

const results = await Promise.all(
  Object.entries(checks)
    .filter(([name]) => asked.length === 0 || asked.includes(name))
    .map(([name, [bin, ...args]]) => run(name, bin, args)),
);
const failed = results.filter((passed) => !passed).length;
console.log(`checks: ${results.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

function run(name, bin, args) {
  const start = performance.now();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [`node_modules/${bin}`, ...args], {
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
