// `npm run docs -- prose`: installs the prose linter and runs it on pages, comments and messages.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { install, requireNode, root } from './prepare.mjs';

requireNode();
try {
  await install(root, join(root, 'test', 'prose'));
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
const child = spawn(process.execPath, ['test/prose/prose.mjs', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
child.on('close', (code) => process.exit(code ?? 1));
