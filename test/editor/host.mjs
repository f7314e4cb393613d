// Runs test/editor/suite in the extension host of the code-server that EDITOR_DIR names. Desktop VS Code runs the same suite by
// `npm run test:desktop`. usage: EDITOR_DIR=build/editors/newest node test/editor/host.mjs

import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBrowser, pause, startEditor, workbenchUrl } from './lib/editorServer.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = resolve(here, '..', '..');
const suite = join(here, 'suite', 'index.cjs');
const folder = mkdtempSync(join(tmpdir(), 'svc-workspace-'));
cpSync(join(here, 'fixtures/express'), folder, { recursive: true });
// With one the extension activates by itself, before its activation can be measured.
rmSync(join(folder, 'package.json'));

if (!process.env.EDITOR_DIR) {
  console.error('Set EDITOR_DIR to a folder of installEditor.mjs, or run `npm run test:desktop`.');
  process.exit(2);
}
process.exit(await inCodeServer(process.env.EDITOR_DIR));

async function inCodeServer(editor) {
  const log = join(mkdtempSync(join(tmpdir(), 'svc-suite-')), 'suite.log');
  // Old editors need no flag to run a suite, and do not know it.
  const driver = !JSON.parse(
    readFileSync(join(editor, 'node_modules/code-server/package.json'), 'utf8'),
  ).version.startsWith('4.17.');
  const server = await startEditor({ editor, driver, environment: { SUITE_LOG: log } });
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
        ['extensionTestsPath', remote(suite)],
      ]),
    );
    code = await Promise.race([done, pause(540_000).then(() => 124)]);
  } finally {
    await browser.close();
    await server.stop();
  }
  const report = existsSync(log) ? readFileSync(log, 'utf8') : '';
  process.stdout.write(report);
  // An extension host that crashed also exits with 0: only the suite's own output counts.
  return code === 0 && /^\d+ passed, 0 failed$/m.test(report) ? 0 : code || 3;
}
