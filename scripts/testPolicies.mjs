// `npm run lab -- policies`: installs the published passkey-kit and the Chromium driver, and runs the tests of accounts and
// policies that need them, and those that print figures. Nothing is skipped.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { install, requireNode, root } from './prepare.mjs';

const clients = ['passkey-kit', 'browser'].map((name) => join(root, 'test', 'policies', name));
const tests = ['chromium', 'governedFees', 'governedPayments', 'passkeyKit'];

requireNode();
try {
  await install(root, ...clients);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
const child = spawn(
  process.execPath,
  [
    '--import',
    'tsx',
    '--test',
    '--test-concurrency=2',
    '--test-reporter=./scripts/suiteReporter.mjs',
    ...tests.map((name) => `test/policies/${name}.test.ts`),
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, REQUIRE_POLICY_CLIENTS: '1' } },
);
child.on('close', (code) => process.exit(code ?? 1));
