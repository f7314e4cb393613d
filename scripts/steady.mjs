// Runs test files many times beside busy loops, and prints how often each failed. A test that passes alone and fails here has a
// bound of time that a busy machine reaches, or waits for something other than what it needs.
// usage: node scripts/steady.mjs [--rounds 20] [--busy 2] FILE…
// FILE is a *.test.ts, or a suite for node:test such as test/editor/windows.ui.mjs, which reads its usual variables. Logs of
// failed rounds are kept in build/steady.

import { spawn } from 'node:child_process';
import { createWriteStream, existsSync, mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { install, requireNode, root } from './prepare.mjs';
import './explainOptions.mjs';

const { values, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '20' },
    busy: { type: 'string', default: '2' },
  },
});
const rounds = Number(values.rounds);
const missing = files.filter((file) => !existsSync(join(root, file)));
if (files.length === 0 || missing.length > 0 || !(rounds > 0)) {
  console.error(
    missing.length > 0
      ? `No such file: ${missing.join(', ')}`
      : 'usage: node scripts/steady.mjs [--rounds 20] [--busy 2] FILE…',
  );
  process.exit(2);
}

requireNode();
await install(root);
const logs = join(root, 'build', 'steady');
mkdirSync(logs, { recursive: true });
const loops = Array.from({ length: Number(values.busy) }, () =>
  spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
);
process.once('exit', () => {
  for (const loop of loops) loop.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

const rows = files.map((file) => ({ file, seconds: [], failures: [] }));
// Each file once a round: what disturbs the machine for a while meets all of them.
for (let round = 1; round <= rounds; round += 1) {
  for (const row of rows) {
    const log = join(logs, `${basename(row.file)}.${round}.log`);
    const begun = performance.now();
    const { code, failed } = await run(row.file, log);
    const seconds = (performance.now() - begun) / 1_000;
    row.seconds.push(seconds);
    if (code === 0) rmSync(log);
    else row.failures.push({ round, log, failed });
    console.log(
      `round ${round}  ${code === 0 ? 'ok' : 'FAILED'}  ${seconds.toFixed(1)} s  ${row.file}`,
    );
  }
}

console.log(`\n${rounds} rounds beside ${values.busy} busy loops`);
console.log('| File | Failed | Seconds | Tests that failed |\n|---|---|---|---|');
for (const { file, seconds, failures } of rows) {
  const range = `${Math.min(...seconds).toFixed(1)}–${Math.max(...seconds).toFixed(1)}`;
  const tests = [...new Set(failures.flatMap(({ failed }) => failed))].join('; ');
  console.log(`| ${file} | ${failures.length} of ${rounds} | ${range} | ${tests} |`);
}
for (const { failures } of rows) for (const { log } of failures) console.log(`log: ${log}`);
const failed = rows.reduce((sum, { failures }) => sum + failures.length, 0);
console.log(`${rounds * rows.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/**
 * Runs one file once.
 *
 * @param {string} file
 * @param {string} log where its output is kept
 * @returns {Promise<{ code: number, failed: string[] }>} its exit status, and the titles that both reporters print
 */
async function run(file, log) {
  const args = file.endsWith('.ts')
    ? ['scripts/runTests.mjs', file, '--concurrency', '1', '--alone']
    : ['--test', '--test-reporter=./scripts/suiteReporter.mjs', file];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const kept = createWriteStream(log);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      text += chunk;
      kept.write(chunk);
    });
  }
  const code = await new Promise((resolve) => {
    child.once('close', (status) => resolve(status ?? 1));
  });
  await new Promise((resolve) => kept.end(resolve));
  const failed = [...text.matchAll(/^--- [^\n:]+: (.+)$/gm)].map(([, title]) => title);
  return { code, failed };
}
