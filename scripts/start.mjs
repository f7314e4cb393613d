// `npm start`: installs and builds missing parts, then runs `svc-x402 dev` with the same options.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfStale, install, paidApi, requireNode, root } from './prepare.mjs';

requireNode();
try {
  await install(root, paidApi);
  await buildIfStale();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

// Runs in this process, so that Ctrl-C and the exit status do not pass through another one.
const cli = join(root, 'dist', 'cli.js');
process.argv = [process.execPath, cli, 'dev', ...process.argv.slice(2)];
await import(pathToFileURL(cli).href);
