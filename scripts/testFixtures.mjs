// `npm run lab -- fixtures`: changes, installs, starts and pays the fixture apps of test/codegen, and runs suites with a network under
// the test frameworks of test/frameworks. Installs packages from this machine's package source, which takes minutes.
// usage: npm run lab -- fixtures [--name PATTERN --write-docs]

import { spawn } from 'node:child_process';
import { buildIfStale, install, paidApi, requireNode, root } from './prepare.mjs';

requireNode();
try {
  await install(root, paidApi);
  await buildIfStale();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
const args = [
  'scripts/runTests.mjs',
  'test/codegen/running/fixtures.ts',
  'test/codegen/running/pinnedSets.ts',
  'test/frameworks/frameworks.ts',
  // Each file installs the packages of a dozen apps, from a source whose speed is not ours.
  '--file-minutes',
  '18',
  ...process.argv.slice(2).filter((word) => word !== '--write-docs'),
];
const env = process.argv.includes('--write-docs') ? { WRITE_FIGURES: '1' } : {};
const child = spawn(process.execPath, args, {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ...env },
});
child.on('close', (code) => process.exit(code ?? 1));
