// `npm run lab -- desktop [--version 1.80.2]`: the host suite of test/editor in desktop VS Code, which is downloaded into
// build/vscode. Versions: a number, `stable` (the default) or `insiders`. VSCODE_EXECUTABLE names an installed one.

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import './explainOptions.mjs';
import { allPassed, makeSuiteProject, suiteEntry } from '../test/editor/lib/suiteProject.mjs';
import { buildIfStale, install, requireNode, root } from './prepare.mjs';

const tools = join(root, 'test', 'editor');
const { values } = parseArgs({ options: { version: { type: 'string', default: 'stable' } } });

requireNode();
try {
  await install(root, tools);
  await buildIfStale();
  await main();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

async function main() {
  const { downloadAndUnzipVSCode, runTests } = await import('@vscode/test-electron');
  const vscodeExecutablePath =
    process.env.VSCODE_EXECUTABLE ?? (await download(downloadAndUnzipVSCode));
  if (process.platform === 'linux' && !process.env.DISPLAY) {
    throw new Error('Desktop VS Code needs a display. Run it under `xvfb-run -a`.');
  }
  const folder = mkdtempSync(join(tmpdir(), 'svc-desktop-'));
  const log = join(folder, 'suite.log');
  const project = makeSuiteProject();
  let ended;
  try {
    ended = await runTests({
      vscodeExecutablePath,
      extensionDevelopmentPath: root,
      extensionTestsPath: suiteEntry,
      extensionTestsEnv: { SUITE_LOG: log },
      launchArgs: [
        project,
        '--disable-extensions',
        ...['--user-data-dir', join(folder, 'user')],
        // In containers, Chromium's sandbox lacks the permissions that it needs.
        ...(process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ],
    }).catch((error) => error);
  } finally {
    if (existsSync(log)) process.stdout.write(readFileSync(log, 'utf8'));
  }
  const report = existsSync(log) ? readFileSync(log, 'utf8') : '';
  if (ended !== 0 || !allPassed(report)) {
    throw new Error(
      ended instanceof Error
        ? `The suite failed: ${ended.message}`
        : 'The suite did not report "N passed, 0 failed".',
    );
  }
  for (const made of [folder, project]) rmSync(made, { recursive: true, force: true });
}

/** @param {(options: object) => Promise<string>} downloadAndUnzip */
async function download(downloadAndUnzip) {
  const { version } = values;
  try {
    return await downloadAndUnzip({ version, cachePath: join(root, 'build', 'vscode') });
  } catch (error) {
    throw new Error(
      `Could not download VS Code ${version} (${error.message}). It comes from update.code.visualstudio.com. ` +
        'Where that cannot be reached, set VSCODE_EXECUTABLE to a VS Code that is installed.',
    );
  }
}
