// Runs test/editor/suite in the extension host of the code-server that EDITOR_DIR names. Desktop VS Code runs the same suite by
// `npm run lab -- desktop`. usage: EDITOR_DIR=build/editors/newest node test/editor/host.mjs

import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isOldest, openBrowser, pause, startEditor, workbenchUrl } from './lib/editorServer.mjs';
import { allPassed, makeSuiteProject, suiteEntry } from './lib/suiteProject.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = resolve(here, '..', '..');
const folder = makeSuiteProject();

if (!process.env.EDITOR_DIR) {
  console.error(
    'Set EDITOR_DIR to a folder of installEditor.mjs, or run `npm run lab -- desktop`.',
  );
  process.exit(2);
}
process.exit(await inCodeServer(process.env.EDITOR_DIR));

async function inCodeServer(editor) {
  const log = join(mkdtempSync(join(tmpdir(), 'svc-suite-')), 'suite.log');
  // The oldest editor needs no flag to run a suite, and does not know it.
  const driver = !isOldest(editor);
  const only = process.env.SUITE_GREP ? { SUITE_GREP: process.env.SUITE_GREP } : {};
  const environment = { SUITE_LOG: log, EDITOR_DIR: editor, ...only };
  const server = await startEditor({ editor, driver, environment });
  const browser = await openBrowser();
  let code;
  try {
    const page = await (await browser.newContext()).newPage();
    const done = new Promise((ok) => {
      void page.exposeFunction('codeAutomationExit', ok);
    });
    await page.exposeFunction('codeAutomationLog', () => {});
    const remote = (path) => `vscode-remote://${new URL(server.url).host}${path}`;
    await page.goto(
      workbenchUrl(server.url, folder, [
        ['extensionDevelopmentPath', remote(root)],
        ['extensionTestsPath', remote(suiteEntry)],
      ]),
    );
    code = await Promise.race([done, pause(900_000).then(() => 124)]);
  } finally {
    await browser.close();
    await server.stop();
  }
  const report = existsSync(log) ? readFileSync(log, 'utf8') : '';
  process.stdout.write(report);
  return code === 0 && allPassed(report) ? 0 : code || 3;
}
