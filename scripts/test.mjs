// `npm test`: installs, builds, checks, and runs every test that needs neither Rust nor a browser.

import { spawn } from 'node:child_process';
import { agentExample, buildIfStale, install, paidApi, requireNode, root } from './prepare.mjs';

requireNode();
try {
  await install(root, paidApi, agentExample);
  await buildIfStale();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

for (const script of ['check', 'checkBudgets', 'runTests']) {
  const code = await step(script);
  if (code !== 0) {
    console.error(`scripts/${script}.mjs ended with ${code}.`);
    process.exit(code);
  }
}

function step(script) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [`scripts/${script}.mjs`], {
      cwd: root,
      stdio: 'inherit',
    });
    child.on('close', (code) => resolve(code ?? 1));
  });
}
