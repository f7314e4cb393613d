// `npm run agent -- [--alone] [--json] "TASK"`: installs and builds what is missing, and runs the example agent against the
// service of `npm start`, or with --alone against its own service.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { agentExample, buildIfStale, install, paidApi, requireNode, root } from './prepare.mjs';

const given = process.argv.slice(2);
const alone = given.includes('--alone');
requireNode();
try {
  await install(root, agentExample, ...(alone ? [paidApi] : []));
  await buildIfStale();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
const program = join(agentExample, alone ? 'alone.mjs' : 'agent.mjs');
const args = given.filter((argument) => argument !== '--alone');
const child = spawn(process.execPath, [program, ...args], { stdio: 'inherit' });
child.on('close', (code) => process.exit(code ?? 1));
