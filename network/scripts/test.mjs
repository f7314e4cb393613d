// `npm test` in network/: installs and builds what is missing, and runs the tests of the network and of what it shares.
// usage: node network/scripts/test.mjs [OPTION…], with the options of scripts/runTests.mjs

import { spawn } from 'node:child_process';
import {
  buildIfStale,
  declareIfStale,
  install,
  requireNode,
  root,
} from '../../scripts/prepare.mjs';

requireNode();
try {
  await install(root);
  await buildIfStale();
  await declareIfStale();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
const args = ['scripts/runTests.mjs', 'common', 'network', ...process.argv.slice(2)];
const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
child.on('close', (code) => process.exit(code ?? 1));
