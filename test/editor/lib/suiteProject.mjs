// What the suite of the extension host runs in, in every editor.

import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const tests = fileURLToPath(new URL('..', import.meta.url));

/** The module that an editor runs (`extensionTestsPath`). */
export const suiteEntry = join(tests, 'suite', 'index.cjs');

/** Makes the project that is opened. @returns its folder */
export function makeSuiteProject() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-workspace-'));
  cpSync(join(tests, 'fixtures/express'), folder, { recursive: true });
  // With one the extension activates by itself, before its activation can be measured.
  rmSync(join(folder, 'package.json'));
  return folder;
}

/** Whether a report of the suite says that all of its tests passed: an extension host that crashed exits with 0 as well. */
export function allPassed(report) {
  return /^[1-9]\d* passed, 0 failed$/m.test(report);
}
