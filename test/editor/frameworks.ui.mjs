// "Add payment" through the palette in apps of the other frameworks, and in a workspace of two
// folders. usage: node --test test/editor/frameworks.ui.mjs   (EDITOR_DIR and VSIX as in ui.ui.mjs)

import assert from 'node:assert/strict';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  eventually,
  hasTerminals,
  openBrowser,
  openedAtStart,
  PATIENCE_MS,
  pause,
  startEditor,
  workbenchUrl,
} from './lib/editorServer.mjs';
import { Workbench } from './lib/workbench.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '..', '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const vsix = process.env.VSIX ?? join(root, 'build', `svc-x402-${version}.vsix`);
const pictures = process.env.PICTURES ?? join(root, 'build', 'pictures');
/** More than several waits of a test, each of which fails first and names what it waited for. */
const slow = { timeout: 900_000 };
const PAY_TO = 'GCA2YZDJXO3VHRGPGIDFMWDRFK5XPMDSH5CAHR5IT34CMQWOZNRM5MQO';

mkdirSync(pictures, { recursive: true });

/** A workspace with two packages, each with the lock file of another package manager. */
function twoFolders() {
  const home = mkdtempSync(join(tmpdir(), 'svc-two-'));
  cpSync(join(here, 'fixtures/express'), join(home, 'weather'), { recursive: true });
  writeFileSync(join(home, 'weather/package-lock.json'), '{}');
  cpSync(join(here, 'fixtures/fastify'), join(home, 'quotes'), { recursive: true });
  writeFileSync(join(home, 'quotes/pnpm-lock.yaml'), '');
  const workspace = join(home, 'shop.code-workspace');
  writeFileSync(workspace, JSON.stringify({ folders: [{ path: 'weather' }, { path: 'quotes' }] }));
  return { home, workspace };
}

/**
 * Package managers that note where and how they are run, and install nothing. npm serves all but
 * what `unserved` names, as a package source does that lacks a package.
 */
function recordingManagers(unserved) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-managers-'));
  const runs = join(folder, 'runs');
  writeFileSync(runs, '');
  for (const name of ['npm', 'pnpm']) {
    const script = [
      '#!/bin/sh',
      `echo "${name} in $PWD: $*" >> '${runs}'`,
      `case "$*" in`,
      `  *view*${unserved}*) echo '{"error":{"code":"E404"}}'; exit 1;;`,
      `  *view*) echo '"1.0.0"';;`,
      'esac',
    ].join('\n');
    writeFileSync(join(folder, name), `${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return { folder, runs: () => readFileSync(runs, 'utf8') };
}

describe('payments in apps of each framework', { concurrency: false }, () => {
  const managers = recordingManagers('@x402/fastify');
  let server;
  let browser;
  let page;
  let workbench;

  /** Opens a folder or a workspace in a page of its own, with a file of it if one is named. */
  const openWorkspace = async (path, file) => {
    await page?.close();
    page = await (await browser.newContext({ viewport: { width: 1280, height: 860 } })).newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(workbenchUrl(server.url, path, file && openedAtStart(server.url, file)));
    workbench = new Workbench(page);
    await workbench.ready();
    if (file)
      await page
        .locator('.tab.active')
        .filter({ hasText: basename(file) })
        .waitFor();
  };
  const copyOf = (fixture) => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-workspace-'));
    cpSync(join(here, 'fixtures', fixture), folder, { recursive: true });
    return folder;
  };
  const picture = (name) => page.screenshot({ path: join(pictures, `${name}.png`) });
  const addPayment = async (route, price) => {
    await workbench.commandAndPick('Svc: Add x402 payment to this endpoint', route);
    // This account is on no network, which the question says in place of its own words.
    await workbench.quick.locator('[aria-label="Preview the change first"]').waitFor();
    await workbench.quickInput.fill(price);
  };
  const saved = (file, pattern) =>
    eventually(() => {
      const text = readFileSync(file, 'utf8');
      assert.match(text, pattern);
      return text;
    });

  before(async () => {
    server = await startEditor({
      editor: process.env.EDITOR_DIR,
      vsix,
      settings: { 'svc-x402.payToAddress': PAY_TO },
      environment: { PATH: `${managers.folder}${delimiter}${process.env.PATH}` },
    });
    browser = await openBrowser();
  }, slow);

  after(async () => {
    if (page) await picture('29-last');
    await browser?.close();
    await server?.stop();
  });

  it(
    '[spec: Editor extension command/Fastify] [spec: Editor extension command/6] Fastify: the gate is registered with the name at the call site',
    slow,
    async () => {
      const folder = copyOf('fastify');
      await openWorkspace(folder);
      assert.equal(
        await workbench.status('x402').count(),
        0,
        'it takes no place before it is of use',
      );
      await workbench.openFile('server.js');
      // A file with a route is enough to begin.
      await page.locator('.codelens-decoration').filter({ hasText: 'Add x402 Payment' }).waitFor();
      await workbench.status('x402 local').waitFor();
      await addPayment('GET /quote', '0.05');
      await page.keyboard.press('Enter');
      await workbench.describe();
      await workbench.paymentAdded();
      await picture('21-fastify');
      await page.keyboard.press('ControlOrMeta+S');
      const text = await saved(
        join(folder, 'server.js'),
        /paymentMiddleware\(\s*forRoute\(fastify\b/,
      );
      assert.match(text, /'GET \/quote'/);
      assert.ok(text.includes(PAY_TO));
      assert.ok(text.includes("return { symbol: request.query.symbol ?? 'XLM', price: 0.11 };"));
      const todo = text.split('\n').findIndex((line) => line.includes('TODO')) + 1;
      await eventually(async () => assert.equal((await workbench.position()).line, todo));
    },
  );

  it(
    '[spec: Editor extension command/Packages] missing packages are reported before the install, and npm is not called before consent',
    slow,
    async () => {
      const offer = workbench.quickRow('Install').first();
      await offer.waitFor();
      assert.match(await offer.textContent(), /npm i .*@x402\/core@/);
      assert.equal(managers.runs(), '', 'npm would call the registry that the project names');
      await offer.click();
      const lacking = workbench.toast('does not serve @x402/fastify@');
      await lacking.waitFor();
      assert.match(managers.runs(), /npm in .*: view @x402\/fastify@/);
      assert.doesNotMatch(managers.runs(), /: (i|install|add) /);
    },
  );

  it(
    '[spec: Editor extension command/Next.js App Router] Next.js App Router: the handler keeps its body and is wrapped',
    slow,
    async () => {
      const folder = copyOf('nextjs');
      await openWorkspace(folder, join(folder, 'app/api/quote/route.ts'));
      await addPayment('GET /api/quote', '0.03');
      await page.keyboard.press('Enter');
      await workbench.describe();
      await page.locator('.view-line').filter({ hasText: 'withX402' }).first().waitFor();
      await picture('22-next-app');
      await page.keyboard.press('ControlOrMeta+S');
      const text = await saved(
        join(folder, 'app/api/quote/route.ts'),
        /export const GET = withX402\(/,
      );
      assert.match(text, /async function GET_impl\(request: Request\)/);
      assert.doesNotMatch(text, /export async function GET_impl/);
      assert.ok(text.includes("const symbol = new URL(request.url).searchParams.get('symbol')"));
      await workbench.quickRow('@x402/next@').waitFor();
    },
  );

  it(
    '[spec: Editor extension command/Next.js Pages Router] Next.js Pages Router: guidance in a dialog, and no change of the file',
    slow,
    async () => {
      const folder = copyOf('nextjs');
      await openWorkspace(folder, join(folder, 'pages/api/legacy.ts'));
      await workbench.commandAndPick('Svc: Add x402 payment to this endpoint', '/api/legacy');
      const dialog = page.locator('.monaco-dialog-box');
      await dialog.filter({ hasText: 'Pages Router' }).waitFor();
      assert.match(await dialog.textContent(), /app\/api\/<name>\/route\.ts/);
      await picture('23-next-pages');
      // What works instead is offered.
      await dialog.getByRole('button').filter({ hasText: 'Charge for a Local Port' }).waitFor();
      await dialog
        .getByRole('button')
        .filter({ hasText: /^Cancel$/ })
        .click();
      await dialog.waitFor({ state: 'detached' });
      assert.equal(
        readFileSync(join(folder, 'pages/api/legacy.ts'), 'utf8'),
        readFileSync(join(here, 'fixtures/nextjs/pages/api/legacy.ts'), 'utf8'),
      );
    },
  );

  it(
    '[spec: Editor extension command/Commands] "Svc: Reopen getting started" opens the walkthrough, whose steps lead on',
    slow,
    async () => {
      // Beside a sidebar there is no room for drawings.
      await workbench.command('View: Toggle Primary Side Bar Visibility');
      await workbench.command('Svc: Reopen getting started');
      const walkthrough = page.locator('.gettingStartedContainer');
      await walkthrough.getByText('Get paid per request with x402').first().waitFor();
      for (const step of ['Create a local wallet', 'Put a price on an endpoint', 'Pay it once']) {
        await walkthrough.getByText(step).first().waitFor();
      }
      await walkthrough.getByText('Watch what it earns').first().click();
      await workbench.webview().getByText('Recent Settlements').waitFor();
      await picture('26-walkthrough');
      await walkthrough.getByText('Open Sidebar').click();
      await workbench.pane('Wallet').waitFor();
    },
  );

  it(
    'the change is shown next to the file on request, and made only when it is applied',
    slow,
    async () => {
      const folder = copyOf('express');
      const file = join(folder, 'server.js');
      const original = readFileSync(file, 'utf8');
      await openWorkspace(folder, join(folder, 'server.js'));
      const preview = async () => {
        await addPayment('GET /weather', '0.04');
        await workbench.quick.locator('[aria-label="Preview the change first"]').click();
        const view = page.locator('.editor-instance .monaco-diff-editor');
        await view.locator('.editor.modified').getByText('paymentMiddleware').first().waitFor();
        return view;
      };
      const shown = await preview();
      await picture('24-preview');
      await workbench.titleButton('Discard Change').click();
      await shown.waitFor({ state: 'detached' });
      await page.keyboard.press('ControlOrMeta+S');
      await pause(500);
      assert.equal(readFileSync(file, 'utf8'), original);

      const again = await preview();
      await workbench.titleButton('Apply Change').click();
      await again.waitFor({ state: 'detached' });
      await workbench.paymentAdded();
      await page.keyboard.press('ControlOrMeta+S');
      assert.match(await saved(file, /paymentMiddleware\(/), /\$?0\.04/);
    },
  );

  it(
    '[spec: Editor extension command/7] two folders: one folder’s file is changed, and the install runs there',
    slow,
    async (test) => {
      const { home, workspace } = twoFolders();
      await openWorkspace(workspace, join(home, 'quotes/server.js'));
      await addPayment('GET /quote', '0.01');
      await page.keyboard.press('Enter');
      await workbench.describe();
      await workbench.paymentAdded();
      await page.keyboard.press('ControlOrMeta+S');
      await saved(join(home, 'quotes/server.js'), /paymentMiddleware\(\s*forRoute\(fastify\b/);
      assert.equal(
        readFileSync(join(home, 'weather/server.js'), 'utf8'),
        readFileSync(join(here, 'fixtures/express/server.js'), 'utf8'),
      );
      const offer = workbench.quickRow('pnpm add ');
      await offer.waitFor();
      await picture('25-two-folders');
      if (!hasTerminals(process.env.EDITOR_DIR))
        return test.diagnostic('this editor has no terminals: nothing is run');
      await offer.click();
      const lacking = workbench.toast('does not serve @x402/fastify@');
      await lacking.getByRole('button', { name: 'Install Anyway' }).click();
      await eventually(() =>
        assert.ok(
          managers.runs().includes(`pnpm in ${join(home, 'quotes')}: add --save-exact @x402/core@`),
        ),
      );
      assert.ok(!managers.runs().includes(`in ${join(home, 'weather')}:`));
    },
  );
});
