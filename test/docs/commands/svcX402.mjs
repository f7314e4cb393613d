// Replaces `svc-x402` in the commands of the pages: a command that serves is stopped as by Ctrl-C once
// it serves, so that the next line of the page runs.

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const cli = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
const child = spawn(process.execPath, [cli, ...process.argv.slice(2)], {
  stdio: ['inherit', 'pipe', 'inherit'],
});
let told = '';
child.stdout.on('data', (chunk) => {
  process.stdout.write(chunk);
  told += chunk;
  if (/Serving until Ctrl-C|"event":"serving"/.test(told)) child.kill('SIGINT');
});
child.on('close', (code) => {
  process.exitCode = code ?? 1;
});
