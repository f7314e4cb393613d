// `npm test`: installs, builds, checks, and runs every test that needs neither Rust nor a browser.
// `npm test -- --quick` runs only the unit tests, without the longest. .ci/run starts with it.

import { spawn } from 'node:child_process';
import {
  agentExample,
  buildIfStale,
  declareIfStale,
  install,
  paidApi,
  requireNode,
  root,
} from './prepare.mjs';

requireNode();
try {
  await install(root, paidApi, agentExample);
  await buildIfStale();
  await declareIfStale();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

const quick = process.argv.includes('--quick');
for (const [script, ...args] of [
  ['check'],
  ['checkBudgets'],
  ['runTests', ...(quick ? ['--quick'] : [])],
]) {
  const code = await step(script, args);
  if (code !== 0) {
    console.error(`scripts/${script}.mjs ended with ${code}.`);
    process.exit(code);
  }
}

/**
 * @param {string} script
 * @param {string[]} args
 */
function step(script, args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [`scripts/${script}.mjs`, ...args], {
      cwd: root,
      stdio: 'inherit',
    });
    child.on('close', (code) => resolve(code ?? 1));
  });
}
