// The extension in a real workbench, as a person uses it. usage: node --test test/editor/ui.ui.mjs
// EDITOR_DIR: folder with code-server; VSIX: the packed extension.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { install, paidApi } from '../../scripts/prepare.mjs';
import {
  eventually,
  openBrowser,
  PATIENCE_MS,
  pause,
  startEditor,
  workbenchUrl,
} from './lib/editorServer.mjs';
import { Workbench } from './lib/workbench.mjs';
import { WorkspaceSettings } from './lib/workspaceSettings.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '..', '..');
const editor = process.env.EDITOR_DIR;
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const vsix = process.env.VSIX ?? join(root, 'build', `svc-x402-${version}.vsix`);
const pictures = process.env.PICTURES ?? join(root, 'build', 'pictures');
/** More than several waits of a test, each of which fails first and names what it waited for. */
const slow = { timeout: 900_000 };

mkdirSync(pictures, { recursive: true });

/** An endpoint of the example, in a process of its own. */
function startSeller(script, cwd, environment) {
  const child = spawn(process.execPath, script, {
    cwd,
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  return { child, said: () => said, stop: () => child.kill('SIGKILL') };
}

describe('the extension in a real editor', { concurrency: false }, () => {
  let server;
  let browser;
  let page;
  let workbench;
  let folder;
  let settings;
  const sellers = [];
  let sellerUrl;
  const picture = (name) => page.screenshot({ path: join(pictures, `${name}.png`) });
  const userSettings = () => {
    const path = join(server.home, 'data/User/settings.json');
    return { path, values: JSON.parse(readFileSync(path, 'utf8')) };
  };
  const service = () => JSON.parse(readFileSync(join(server.shared, 'local/service.json'), 'utf8'));
  const clearToasts = () => workbench.command('Notifications: Clear All Notifications');

  before(async () => {
    await install(paidApi);
    folder = mkdtempSync(join(tmpdir(), 'svc-workspace-'));
    cpSync(join(here, 'fixtures/express'), folder, { recursive: true });
    settings = new WorkspaceSettings(folder);
    server = await startEditor({ editor, vsix, settings: { 'svc-x402.mcp': 'on' } });
    browser = await openBrowser();
    page = await (await browser.newContext({ viewport: { width: 1280, height: 860 } })).newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(workbenchUrl(server.url, folder));
    workbench = new Workbench(page);
    await workbench.ready();
  }, slow);

  after(async () => {
    if (page) await picture('99-last');
    for (const seller of sellers) seller.stop();
    await browser?.close();
    await server?.stop();
  });

  it('nothing is started before it is needed', slow, async () => {
    await pause(1_000);
    assert.equal(existsSync(join(server.shared, 'service.lock')), false);
  });

  it('the sidebar starts the service and says what to do first', slow, async () => {
    await workbench.openContainer('Svc x402');
    await workbench.pane('Wallet').getByText('No payment address set').waitFor();
    await workbench.status('x402 local :').waitFor();
    await picture('01-first-look');
    assert.equal(await workbench.status('x402').count(), 1, 'E15: one item in the status bar');
    assert.equal(service().network.embedded, true);
  });

  it('the editor itself reports how long the activation took', slow, async (test) => {
    await workbench.command('Developer: Show Running Extensions');
    const row = page.locator('.runtime-extensions-editor .monaco-list-row');
    const words = await row.filter({ hasText: 'Svc x402' }).first().textContent();
    const [, ms] = /Activation: (\d+)ms/.exec(words) ?? assert.fail(words);
    // What others did meanwhile counts in it: the suite in the host holds the extension's own part.
    test.diagnostic(`activation, as the editor says: ${ms} ms`);
    await workbench.command('View: Close Editor');
  });

  it('"Create a local wallet" creates an address that can be paid', slow, async () => {
    await workbench.command('Svc: Create Local Wallet');
    await workbench.rows('Wallet').filter({ hasText: 'Loaded' }).waitFor();
    const rows = await workbench.rows('Wallet').allTextContents();
    assert.ok(
      rows.some((row) => /XLM\s*9999/.test(row)),
      rows.join(),
    );
    assert.ok(
      rows.some((row) => /USDC\s*0/.test(row)),
      rows.join(),
    );
    assert.match(userSettings().values['svc-x402.payToAddress'], /^G[A-Z2-7]{55}$/);
    await workbench.pane('Recent Settlements').getByText('Nothing has settled').waitFor();
    await clearToasts();
    await picture('02-wallet');
  });

  it(
    '[spec: Editor extension command/2] [spec: Editor extension command/5] a payment is added in one undo step, and its price is checked while it is typed',
    slow,
    async () => {
      await workbench.openFile('server.js');
      const original = readFileSync(join(folder, 'server.js'), 'utf8');
      await page.locator('.codelens-decoration').filter({ hasText: 'Add x402 Payment' }).waitFor();
      await picture('03-lens');
      // E15: what is offered at a route fits it.
      await page.locator('.view-line').filter({ hasText: 'app.get' }).first().click();
      await pause(500);
      await page.keyboard.press('Shift+F10');
      const menu = page.locator('.context-view .monaco-menu');
      await menu.getByText('Add x402 Payment to This Endpoint').waitFor();
      assert.equal(await menu.getByText('Remove x402 Payment').count(), 0);
      await page.keyboard.press('Escape');
      await workbench.commandAndPick('Svc: Add x402 payment to this endpoint', 'GET /weather');
      await workbench.asked('Price per request');
      await workbench.quickInput.fill('0');
      await page.locator('.quick-input-message').filter({ hasText: 'greater than zero' }).waitFor();
      await workbench.quickInput.fill('0.00000001');
      await page.locator('.quick-input-message').filter({ hasText: '7 decimal' }).waitFor();
      await picture('04-price');
      await workbench.answer('0.02');
      await workbench.describe('Weather of a city');
      await workbench.paymentAdded();
      const lens = page.locator('.codelens-decoration').filter({ hasText: 'x402: 0.02 USDC' });
      // The offer to install takes the focus when it comes.
      await workbench.quickRow('Install').first().waitFor();
      // What was written fills the window; the route and its lens are below it.
      await page.locator('.editor-instance .monaco-editor').first().click();
      await page.keyboard.press('ControlOrMeta+End');
      await lens.waitFor({ state: 'attached' });
      await picture('05-gated');
      await page.keyboard.press('ControlOrMeta+S');
      const gated = await eventually(() => {
        const text = readFileSync(join(folder, 'server.js'), 'utf8');
        assert.match(text, /paymentMiddleware\(/);
        return text;
      });
      assert.ok(gated.includes(userSettings().values['svc-x402.payToAddress']));
      assert.ok(
        gated.includes("response.json({ city: request.query.city ?? 'Lima', tempC: 19 });"),
      );

      await page.locator('.editor-instance .monaco-editor').first().click();
      await page.keyboard.press('ControlOrMeta+Z');
      await page.keyboard.press('ControlOrMeta+S');
      await eventually(() =>
        assert.equal(readFileSync(join(folder, 'server.js'), 'utf8'), original),
      );
      await page.keyboard.press('ControlOrMeta+Shift+Z');
      await page.keyboard.press('ControlOrMeta+S');
      await eventually(() => assert.equal(readFileSync(join(folder, 'server.js'), 'utf8'), gated));
    },
  );

  it(
    'running it again on a gated route is refused, and removing restores the text',
    slow,
    async () => {
      await workbench.commandAndPick('Svc: Add x402 payment to this endpoint', 'GET /weather');
      await workbench.toast('already requires payment').waitFor();
      await clearToasts();
      await workbench.command('Svc: Remove x402 payment from this endpoint');
      await workbench.pick('GET /weather');
      await page.keyboard.press('ControlOrMeta+S');
      const original = readFileSync(join(here, 'fixtures/express/server.js'), 'utf8');
      await eventually(() =>
        assert.equal(readFileSync(join(folder, 'server.js'), 'utf8'), original),
      );
    },
  );

  it(
    'test payment by URL, offline: the endpoint is paid and the sidebar fills up',
    slow,
    async () => {
      const seller = startSeller(['seller.mjs', '--json'], paidApi, {
        FACILITATOR_URL: service().facilitatorUrl,
        PAY_TO: userSettings().values['svc-x402.payToAddress'],
        PORT: '0',
      });
      sellers.push(seller);
      sellerUrl = await eventually(
        () => /"url":"([^"]+)"/.exec(seller.said())?.[1] ?? assert.fail(seller.said()),
      );

      const begun = Date.now();
      const panel = await workbench.testPayment(sellerUrl);
      await workbench.settled(panel);
      assert.match(await panel.locator('#headline').textContent(), /^Settled: 0\.01 USDC for GET /);
      await workbench.rows('Recent Settlements').filter({ hasText: '0.01 USDC' }).waitFor();
      console.log(
        `test payment, from Enter to the settlement in the sidebar: ${Date.now() - begun} ms`,
      );
      await workbench.rows('Wallet').filter({ hasText: '0.01' }).waitFor();
      await workbench.rows('My Endpoints').filter({ hasText: '/weather' }).waitFor();
      await workbench.openContainer('Svc x402');
      await workbench.expand('Earnings');
      await eventually(async () =>
        assert.ok((await workbench.framed('#total')).includes('0.01 USDC')),
      );
      await clearToasts();
      await picture('06-paid');
    },
  );

  it(
    'a settlement opens as a page with what moved, its state, and who paid the fee',
    slow,
    async () => {
      await workbench.rows('Recent Settlements').filter({ hasText: '0.01 USDC' }).first().click();
      await page.locator('.tab.active').filter({ hasText: 'Settlement ' }).waitFor();
      await eventually(async () => {
        const [text] = await workbench.framed('main:has(details)');
        assert.match(text ?? '', /Money moved\./);
        assert.match(text ?? '', /Amount0\.01 USDC/);
        assert.match(text ?? '', /Fee account/);
      });
      await picture('07-settlement');
    },
  );

  it('the trace of a settlement opens from its menu, and by its hash', slow, async () => {
    const row = workbench.rows('Recent Settlements').filter({ hasText: '0.01 USDC' }).first();
    await row.click({ button: 'right' });
    // A menu takes no click right after it has opened.
    await page.locator('.context-view .monaco-menu').getByText('Show Trace').hover();
    await page.keyboard.press('Enter');
    await page.locator('.tab.active').filter({ hasText: 'trace-' }).waitFor();
    const text = page.locator('.editor-instance .view-lines').first();
    await eventually(async () => {
      const read = (await text.textContent()).replace(/\u00a0/g, ' ');
      assert.match(read, /transfer/);
      assert.match(read, /The buyer/);
    });
    await picture('07-trace');
    await workbench.command('Svc: Show Trace');
    await workbench.quick
      .locator('.quick-input-message')
      .filter({ hasText: 'Hash of a transaction' })
      .waitFor();
    await page.keyboard.type('not a hash');
    await workbench.quick
      .locator('.quick-input-message')
      .filter({ hasText: 'Enter the 64 hexadecimal digits of a hash.' })
      .waitFor();
    await page.keyboard.press('Escape');
  });

  it('a failed call of a nested contract is traced by its hash', slow, async () => {
    const call = ['--import', 'tsx', join(here, 'lib/failedCall.ts'), service().network.horizonUrl];
    const { stdout } = await promisify(execFile)(process.execPath, call, { cwd: root });
    const hash = stdout.trim();
    await workbench.command('Svc: Show Trace');
    await workbench.quick
      .locator('.quick-input-message')
      .filter({ hasText: 'Hash of a transaction' })
      .waitFor();
    await page.keyboard.type(hash);
    await page.keyboard.press('Enter');
    await page
      .locator('.tab.active')
      .filter({ hasText: `trace-${hash.slice(0, 8)}` })
      .waitFor();
    const text = page.locator('.editor-instance .view-lines').first();
    await eventually(async () => {
      const read = (await text.textContent()).replace(/\u00a0/g, ' ');
      assert.match(read, /TooBlue: There is more blue/);
    });
    await picture('07-trace-failed');
  });

  it('an open settlement is read again after a reload', slow, async () => {
    const tab = page.locator('.tab').filter({ hasText: 'Settlement ' }).first();
    // A browser may leave the page before it has stored which tabs were open. Then there is nothing to restore.
    for (let reloads = 1; ; reloads += 1) {
      await pause(3_000);
      await page.reload();
      await workbench.ready();
      const restored = await tab.waitFor({ timeout: 15_000 }).then(
        () => true,
        () => false,
      );
      if (restored) break;
      assert.ok(reloads < 4, 'four reloads, and the tab was never restored');
      await workbench.openContainer('Svc x402');
      await workbench.rows('Recent Settlements').filter({ hasText: '0.01 USDC' }).first().click();
      await tab.waitFor();
    }
    await tab.click();
    await eventually(async () => {
      const [text] = await workbench.framed('main:has(details)');
      assert.match(text ?? '', /Money moved\./);
    });
    await workbench.openContainer('Svc x402');
  });

  it('a payment is announced until the user turns that off', slow, async () => {
    const told = workbench.toast('Payment received: 0.01 USDC');
    // The editor reads a changed file in its own time, sometimes only after the second write, and a
    // payment made before that is not new.
    for (let payments = 1; !(await told.isVisible()); payments += 1) {
      assert.ok(payments <= 3, 'three payments, and none was announced');
      settings.change({ 'svc-x402.notifyOnEveryPayment': true });
      await pause(1_000);
      await clearToasts();
      await workbench.testPayment(sellerUrl);
      await told.waitFor({ timeout: 15_000 }).catch(() => undefined);
    }
    await told.getByRole('button', { name: "Don't Notify Again" }).click();
    await eventually(() => {
      const written = JSON.parse(readFileSync(join(folder, '.vscode/settings.json'), 'utf8'));
      assert.equal(written['svc-x402.notifyOnEveryPayment'], false);
    });
    settings.wasWritten({ 'svc-x402.notifyOnEveryPayment': false });
    await clearToasts();
  });

  it('each failure of a test payment says what to do', slow, async () => {
    const panel = await workbench.testPayment('http://127.0.0.1:1/nothing');
    await panel.locator('#headline').filter({ hasText: 'Nothing responds' }).waitFor();
    await panel.getByRole('button', { name: 'Try Again' }).waitFor();
    await picture('08-failure');
    await clearToasts();
  });

  it(
    '[spec: Activation test payment/One at a time] a second test payment does not wait: it is refused',
    slow,
    async (t) => {
      const stalled = createServer();
      t.after(() => {
        stalled.closeAllConnections();
        stalled.close();
      });
      const asked = new Promise((ok) => stalled.once('request', ok));
      await new Promise((ok) => stalled.listen(0, '127.0.0.1', ok));
      const url = `http://127.0.0.1:${stalled.address().port}/slow`;
      const panel = await workbench.testPayment(url);
      await asked;
      // The request leaves before the panel has heard that it runs.
      await eventually(async () => assert.equal(await panel.locator('#send').isDisabled(), true));
      await workbench.command('Svc: Test Payment by URL');
      await workbench.toast('Only one can run at a time').waitFor();
      stalled.closeAllConnections();
      await panel
        .locator('#headline')
        .filter({ hasText: 'The connection ended before a response' })
        .waitFor();
      await clearToasts();
    },
  );

  it('a service that is killed is started again', slow, async () => {
    const { pid } = service();
    process.kill(pid, 'SIGKILL');
    await eventually(() => assert.notEqual(service().pid, pid));
    await workbench.status('x402 local :').waitFor();
    await workbench.command('Svc: Refresh');
    await workbench.rows('Wallet').filter({ hasText: 'Loaded' }).waitFor();
  });

  it('settings apply without a reload', slow, async () => {
    const payTo = userSettings().values['svc-x402.payToAddress'];
    const invalid = `${payTo.slice(0, -1)}${payTo.endsWith('A') ? 'B' : 'A'}`;
    const wallet = (text) => workbench.rows('Wallet').filter({ hasText: text });
    const lens = page.locator('.codelens-decoration');
    await settings.changeAndSee({ 'svc-x402.payToAddress': invalid }, (wait) =>
      wallet('Invalid address').waitFor(wait),
    );
    await picture('09-invalid');
    await settings.changeAndSee({ 'svc-x402.payToAddress': '' }, (wait) =>
      workbench.pane('Wallet').getByText('No payment address set').waitFor(wait),
    );
    await settings.changeAndSee({ 'svc-x402.payToAddress': payTo }, (wait) =>
      wallet('Loaded').waitFor(wait),
    );
    await workbench.openFile('server.js');
    await lens.first().waitFor({ state: 'attached' });
    await settings.changeAndSee({ 'svc-x402.codeLens': false }, (wait) =>
      lens.first().waitFor({ ...wait, state: 'detached' }),
    );
    await settings.changeAndSee({ 'svc-x402.codeLens': true }, (wait) =>
      lens.first().waitFor({ ...wait, state: 'attached' }),
    );
  });

  it(
    'an address that the workspace sets is shown, and counts once it is confirmed',
    slow,
    async () => {
      const own = userSettings().values['svc-x402.payToAddress'];
      const other = 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57';
      const address = (text) => workbench.rows('Wallet').filter({ hasText: text });
      await settings.changeAndSee({ 'svc-x402.payToAddress': other }, (wait) =>
        workbench.toast('This workspace sets svc-x402.payToAddress').waitFor(wait),
      );
      await address('Review workspace settings').waitFor();
      await address(own).waitFor();
      assert.equal(await address(other).count(), 0);
      await picture('14-unconfirmed');
      const shown = await workbench.reviewSettings("Don't Use");
      assert.ok(shown.includes(other) && shown.includes(own), shown);
      await address('Review workspace settings').waitFor({ state: 'detached' });
      await address(own).waitFor();
      // A decision can be changed; it is asked for no more, also by another window.
      await workbench.reviewSettings('Use');
      await address(other).waitFor();
      // Browsers write down what an editor keeps a tenth of a second later.
      await pause(1_000);
      await page.reload();
      await workbench.ready();
      await workbench.openContainer('Svc x402');
      await address(other).waitFor();
      assert.equal(await address('Review workspace settings').count(), 0);
      await settings.changeAndSee({ 'svc-x402.payToAddress': own }, (wait) =>
        address('Loaded').waitFor(wait),
      );
    },
  );

  it('an unreachable testnet is reported with a message', slow, async () => {
    await settings.changeAndSee(
      {
        'svc-x402.network': 'testnet',
        'svc-x402.horizonUrl': 'http://127.0.0.1:1',
        'svc-x402.facilitatorUrl': 'http://127.0.0.1:1',
      },
      (wait) => workbench.status('x402 testnet').waitFor(wait),
    );
    await workbench.rows('Wallet').filter({ hasText: 'Review workspace settings' }).waitFor();
    await workbench.reviewSettings('Use');
    await workbench.rows('Wallet').filter({ hasText: 'Network unreachable' }).waitFor();
    await workbench.rows('Recent Settlements').filter({ hasText: 'cannot be reached' }).waitFor();
    await picture('10-unreachable');
    await settings.changeAndSee(
      {
        'svc-x402.network': 'local',
        'svc-x402.horizonUrl': '',
        'svc-x402.facilitatorUrl': '',
      },
      (wait) => workbench.status('x402 local :').waitFor(wait),
    );
  });

  it(
    'the local network is reset after confirmation, and a new wallet is created',
    slow,
    async () => {
      const before = service();
      await workbench.command('Svc: Reset Local Network');
      const dialog = page.locator('.monaco-dialog-box');
      await dialog.filter({ hasText: 'Reset the local network?' }).waitFor();
      await dialog.getByRole('button', { name: 'Reset' }).click();
      await eventually(() => assert.notEqual(service().pid, before.pid));
      await workbench.status('x402 local :').waitFor();
      await workbench.rows('Wallet').filter({ hasText: 'Not funded' }).waitFor();
      await workbench.command('Svc: Fund Payment Address');
      await workbench.rows('Wallet').filter({ hasText: 'Loaded with no trustline' }).waitFor();
      await picture('13-no-trustline');
    },
  );

  it(
    'agents in the editor can be allowed to search and to pay, where the editor has tools for them',
    slow,
    async (test) => {
      if (!hasTools()) return test.skip('this editor has no tools for agents');
      await workbench.command('Svc: Let Agents Find Endpoints');
      await workbench.quickRow('Turn Off in This Editor').first().waitFor();
      await workbench.quickRow('Let Agents in This Editor Pay').first().waitFor();
      await picture('12-mcp');
      await page.keyboard.press('Escape');
    },
  );
});

/** From 1.95 on editors take tools for their agents from extensions. */
const hasTools = () => {
  const path = join(editor, 'node_modules/code-server/package.json');
  const [major, minor] = JSON.parse(readFileSync(path, 'utf8')).version.split('.').map(Number);
  return major > 4 || minor >= 95;
};

describe('an untrusted workspace', () => {
  it('starts nothing and says why', slow, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-workspace-'));
    cpSync(join(here, 'fixtures/express'), folder, { recursive: true });
    const server = await startEditor({
      editor,
      vsix,
      trust: true,
      settings: { 'security.workspace.trust.startupPrompt': 'never' },
    });
    const browser = await openBrowser();
    try {
      const page = await (await browser.newContext()).newPage();
      page.setDefaultTimeout(PATIENCE_MS);
      await page.goto(workbenchUrl(server.url, folder));
      const workbench = new Workbench(page);
      await workbench.ready();
      await workbench.openContainer('Svc x402');
      await workbench.status('x402').first().waitFor();
      await workbench.command('Svc: Start local service');
      await workbench.toast("isn't trusted").waitFor();
      await page.screenshot({ path: join(pictures, '11-untrusted.png') });
      assert.equal(existsSync(join(server.shared, 'service.lock')), false);
    } finally {
      await browser.close();
      await server.stop();
    }
  });
});
