// The whole way by keyboard alone, with the accessibility tree read at each step; contrast and pictures in each theme.
// usage: node --test test/editor/access.ui.mjs   (EDITOR_DIR and VSIX as in ui.ui.mjs)

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { install, paidApi } from '../../scripts/prepare.mjs';
import {
  actionables,
  axeFindings,
  contrast,
  focused,
  pressUntil,
  problemsOf,
} from './lib/accessibility.mjs';
import {
  eventually,
  isOldest,
  openBrowser,
  PATIENCE_MS,
  startEditor,
  workbenchUrl,
} from './lib/editorServer.mjs';
import { Workbench } from './lib/workbench.mjs';
import { WorkspaceSettings } from './lib/workspaceSettings.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '..', '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const vsix = process.env.VSIX ?? join(root, 'build', `svc-x402-${version}.vsix`);
const pictures = join(process.env.PICTURES ?? join(root, 'build', 'pictures'), 'access');
/** More than several waits of a test, each of which fails first and names what it waited for. */
const slow = { timeout: 900_000 };
const THEMES = {
  light: 'Default Light Modern',
  dark: 'Default Dark Modern',
  'high-contrast': 'Default High Contrast',
  'high-contrast-light': 'Default High Contrast Light',
};

mkdirSync(pictures, { recursive: true });

describe('by keyboard alone, with a screen reader', { concurrency: false }, () => {
  let server;
  let browser;
  let page;
  let workbench;
  let folder;
  let settings;
  let seller;
  let sellerUrl;
  const picture = (name) => page.screenshot({ path: join(pictures, `${name}.png`) });
  const userSettings = () =>
    JSON.parse(readFileSync(join(server.home, 'data/User/settings.json'), 'utf8'));
  const service = () => JSON.parse(readFileSync(join(server.shared, 'local/service.json'), 'utf8'));
  /** Fails if something to act on has no name that says what it holds. @returns what was read */
  const read = async (where, within, least = 1) => {
    // Boxes around the editor's own lists and menus have the focus; they do nothing.
    const found = (await actionables(where, within)).filter(
      ({ role }) => where !== page || !['generic', 'menu'].includes(role),
    );
    assert.ok(found.length >= least, `${found.length} to act on: ${JSON.stringify(found)}`);
    const problems = problemsOf(found, { unique: where !== page });
    assert.deepEqual(problems, [], JSON.stringify(found, undefined, 1));
    return found;
  };
  const inWorkbench = () => focused(page.mainFrame());
  /** The frame of a webview that holds an element. */
  const frameWith = (selector) =>
    eventually(async () => {
      for (const frame of page.frames()) {
        const count = await frame
          .locator(selector)
          .count()
          .catch(() => 0);
        if (count > 0) return frame;
      }
      assert.fail(`no page has ${selector}`);
    });
  /** Goes down a menu with keys, to an entry. */
  const chooseFromMenu = async (menu, entry) => {
    await pressUntil(page, 'ArrowDown', async () => {
      const texts = await menu.locator('.action-item.focused').allTextContents();
      return texts.some((text) => text.includes(entry));
    });
    await page.keyboard.press('Enter');
  };
  const assertAxe = async (frame, what, place = 'editor') =>
    assert.deepEqual(await axeFindings(frame, place), [], `axe on ${what}`);
  /** Goes through a page with Tab, and notes what has the focus at each stop. */
  const tabThrough = async (frame, last) => {
    const stops = [];
    await pressUntil(page, 'Tab', async () => {
      const now = await focused(frame);
      if (now !== '' && stops.at(-1) !== now) stops.push(now);
      return now.startsWith(last);
    });
    return stops;
  };

  before(async () => {
    await install(paidApi);
    folder = mkdtempSync(join(tmpdir(), 'svc-workspace-'));
    cpSync(join(here, 'fixtures/express'), folder, { recursive: true });
    settings = new WorkspaceSettings(folder);
    server = await startEditor({ editor: process.env.EDITOR_DIR, vsix });
    browser = await openBrowser();
    page = await (await browser.newContext({ viewport: { width: 1280, height: 860 } })).newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(workbenchUrl(server.url, folder));
    workbench = new Workbench(page);
    await workbench.ready();
  }, slow);

  after(async () => {
    if (page) await picture('99-last');
    seller?.kill('SIGKILL');
    await browser?.close();
    await server?.stop();
  });

  it('the sidebar opens with keys, and its first step is a button with a name', slow, async () => {
    await page.locator('.activitybar a.action-label[aria-label^="Svc x402"]').waitFor();
    await pressUntil(page, 'F6', () =>
      page.evaluate(() => document.activeElement?.closest('.part.activitybar') !== null),
    );
    // The bar has two groups: views, and below them the accounts and settings.
    await pressUntil(
      page,
      'Shift+Tab',
      () => page.evaluate(() => document.activeElement?.closest('.composite-bar') !== null),
      10,
    );
    await pressUntil(
      page,
      'ArrowDown',
      async () => (await inWorkbench()).startsWith('Svc x402'),
      20,
    ).catch(async (error) => {
      const where = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 600));
      throw new Error(`${error.message}: ${await inWorkbench()}: ${where}`);
    });
    await page.keyboard.press('Enter');
    await workbench.pane('Wallet').getByText('Create Local Wallet').waitFor();
    await workbench.status('x402 local :').waitFor();
    const found = await read(page, '.part.sidebar', 4);
    assert.ok(found.some(({ name }) => name === 'Create Local Wallet'));
    await picture('1-first-look');
    await pressUntil(page, 'Tab', async () => (await inWorkbench()) === 'Create Local Wallet');
    await page.keyboard.press('Enter');
    await workbench.rows('Wallet').filter({ hasText: 'Loaded' }).waitFor();
  });

  it('the wallet’s rows have the address, the state and the balances', slow, async () => {
    const found = await read(page, '.part.sidebar', 6);
    const address = userSettings()['svc-x402.payToAddress'];
    const rows = found.filter(({ role }) => role === 'treeitem').map(({ name }) => name);
    assert.ok(
      rows.some((name) => name.includes(address)),
      rows.join('\n'),
    );
    assert.ok(rows.some((name) => /XLM.*9999/.test(name)));
    await picture('2-wallet');
  });

  it('a payment is added with keys: the action, the form, the change', slow, async () => {
    await workbench.openFile('server.js');
    const line = readFileSync(join(folder, 'server.js'), 'utf8')
      .split('\n')
      .findIndex((text) => text.includes("app.get('/weather'"));
    await page.keyboard.press('Control+G');
    await page.keyboard.type(String(line + 1));
    await page.keyboard.press('Enter');
    // Until the route is read, the menu does not know what fits it.
    await page.locator('.codelens-decoration').filter({ hasText: 'Add x402 Payment' }).waitFor();
    const menu = page.locator('.context-view .monaco-menu');
    const add = menu.getByText('Add x402 Payment to This Endpoint');
    // A menu that opened before that is opened again.
    await eventually(async () => {
      if ((await menu.count()) > 0) await page.keyboard.press('Escape');
      await page.waitForTimeout(500);
      await page.keyboard.press('Shift+F10');
      await add.waitFor({ timeout: 5_000 });
    });
    await chooseFromMenu(menu, 'Add x402 Payment to This Endpoint');
    await workbench.quickRow('GET /weather').waitFor();
    await read(page, '.quick-input-widget', 2);
    await page.keyboard.press('Enter');
    await workbench.quick.locator('.quick-input-message').filter({ hasText: 'USDC' }).waitFor();
    const form = await read(page, '.quick-input-widget', 2);
    // Workbenches differ in what they call their own quick input.
    const field = isOldest(process.env.EDITOR_DIR) ? 'combobox' : 'textbox';
    assert.ok(
      form.some(
        ({ role, description }) =>
          role === field && description.startsWith('Price per request in USDC'),
      ),
      JSON.stringify(form),
    );
    await picture('3-form');
    await page.keyboard.type('0.01');
    await page.keyboard.press('Enter');
    await workbench.quick
      .locator('.quick-input-message')
      .filter({ hasText: 'What a buyer gets' })
      .waitFor();
    await page.keyboard.press('Enter');
    await workbench.quickRow('Install').first().waitFor();
    await read(page, '.quick-input-widget', 2);
    await page.keyboard.press('Escape');
    await page.keyboard.press('ControlOrMeta+S');
    await eventually(() =>
      assert.match(readFileSync(join(folder, 'server.js'), 'utf8'), /paymentMiddleware/),
    );
  });

  it('the request panel is filled in, sent and read with keys', slow, async () => {
    seller = spawn(process.execPath, ['seller.mjs', '--json'], {
      cwd: paidApi,
      env: {
        PATH: process.env.PATH,
        FACILITATOR_URL: service().facilitatorUrl,
        PAY_TO: userSettings()['svc-x402.payToAddress'],
        PORT: '0',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    seller.stdout.on('data', (chunk) => {
      said += chunk;
    });
    sellerUrl = await eventually(() => /"url":"([^"]+)"/.exec(said)?.[1] ?? assert.fail(said));

    await workbench.command('Svc: Test Payment by URL');
    const panel = await workbench.requestPage();
    await read(panel, 'main', 9);
    await pressUntil(page, 'Shift+Tab', async () => (await focused(panel)) === 'Method');
    const stops = await tabThrough(panel, 'Copy as SDK Code');
    for (const stop of ['URL', 'Add Query Parameter', 'Add Header', 'Body', 'Pay and Send']) {
      assert.ok(stops.includes(stop), `${stop} is not among ${stops.join(', ')}`);
    }
    await pressUntil(page, 'Shift+Tab', async () => (await focused(panel)) === 'URL');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(`${sellerUrl}?units=c`);
    await pressUntil(page, 'Tab', async () => (await focused(panel)) === 'Add Header');
    await page.keyboard.press('Enter');
    await eventually(async () => assert.match(await focused(panel), /Name of header 1/));
    await page.keyboard.type('x-note');
    await page.keyboard.press('Tab');
    await page.keyboard.type('by keyboard');
    await read(panel, 'main', 12);
    await picture('4-panel');
    await page.keyboard.press('Control+Enter');
    await workbench.settled(panel);
    const after = await read(panel, 'main', 12);
    assert.ok(after.some(({ role, name }) => role === 'link' && name.startsWith('transaction ')));
    assert.equal(await panel.locator('#headline').getAttribute('role'), 'status');
    await picture('5-paid');
  });

  it('endpoints and settlements are read in full, and act by the menu key', slow, async () => {
    await workbench.rows('Recent Settlements').filter({ hasText: '0.01 USDC' }).waitFor();
    await workbench.rows('My Endpoints').filter({ hasText: '/weather' }).waitFor();
    const found = await read(page, '.part.sidebar', 8);
    const rows = found.filter(({ role }) => role === 'treeitem').map(({ name }) => name);
    assert.ok(
      rows.some(
        (name) => name.includes(new URL(sellerUrl).origin) && name.includes('1 settlement'),
      ),
      rows.join('\n'),
    );
    const endpoint = workbench.rows('My Endpoints').first();
    await endpoint.click();
    if ((await endpoint.getAttribute('aria-expanded')) !== 'true') {
      await page.keyboard.press('ArrowRight');
    }
    await workbench.rows('My Endpoints').filter({ hasText: 'Show Payments' }).waitFor();
    await read(page, '.part.sidebar', 12);
    await page.keyboard.press('Shift+F10');
    const menu = page.locator('.context-view .monaco-menu');
    await menu.getByText('Show Payments for an Endpoint').waitFor();
    await read(page, '.context-view', 3);
    await chooseFromMenu(menu, 'Copy URL');
    await workbench.status('Copied: URL').waitFor();
  });

  it('the live log of an endpoint has challenge, verification and settlement', slow, async () => {
    const row = workbench.rows('My Endpoints').filter({ hasText: 'Show Payments' });
    await pressUntil(page, 'ArrowDown', async () =>
      row.evaluate((element) => element.classList.contains('focused')),
    );
    await page.keyboard.press('Enter');
    await page.locator('.tab.active').filter({ hasText: '-payments.log' }).waitFor();
    await eventually(async () => {
      const text = await workbench.editorText();
      assert.match(text, /Settled: 0\.01 USDC/);
      assert.match(text, /Verified: 0\.01 USDC/);
      assert.match(text, /Challenge: 0\.01 USDC/);
    });
    // A refusal shows without anybody reading again.
    const answer = await fetch(sellerUrl);
    const challenge = JSON.parse(
      Buffer.from(answer.headers.get('payment-required'), 'base64').toString(),
    );
    const [accepted] = challenge.accepts;
    await fetch(`${service().facilitatorUrl}/verify`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        x402Version: 2,
        paymentPayload: {
          x402Version: 2,
          resource: challenge.resource,
          accepted,
          payload: { transaction: 'AAAA' },
        },
        paymentRequirements: accepted,
      }),
    });
    await eventually(async () => assert.match(await workbench.editorText(), /Refused: \w+/));
    await picture('6-live-log');
  });

  it('every part of a settlement’s page is reached with keys', slow, async () => {
    await workbench.rows('Recent Settlements').filter({ hasText: '0.01 USDC' }).first().focus();
    await workbench.rows('Recent Settlements').filter({ hasText: '0.01 USDC' }).first().click();
    const settlement = await frameWith('main details');
    await settlement.getByText('Money moved.').waitFor();
    const found = await read(settlement, 'main', 4);
    assert.ok(found.some(({ role }) => role === 'link'));
    const text = await settlement.locator('main').textContent();
    for (const part of [
      '0.01 USDC',
      'What the facilitator recorded',
      'settled, money moved: yes',
    ]) {
      assert.ok(text.includes(part), text);
    }
    const raw = settlement.locator('details').last();
    assert.equal(await raw.getAttribute('open'), null);
    await pressUntil(page, 'Tab', async () =>
      (await focused(settlement)).startsWith('Transaction: raw data'),
    );
    await page.keyboard.press('Enter');
    await eventually(async () => assert.notEqual(await raw.getAttribute('open'), null));
    await picture('7-settlement');
  });

  it('the earnings tab is read and used with keys', slow, async () => {
    await workbench.command('Svc: Open Earnings in a Tab');
    const earnings = await frameWith('main h1:not(.unseen) + .tools');
    await earnings.locator('#routes li').first().waitFor();
    const found = await read(earnings, 'main', 4);
    assert.ok(found.some(({ role, name }) => role === 'combobox' && name === 'Period'));
    assert.ok(found.some(({ name }) => /weather.*1 payment: 0\.01 USDC$/.test(name)));
    const stops = await tabThrough(earnings, new Date().getFullYear().toString());
    assert.ok(stops.includes('Period') && stops.includes('Export as CSV'), stops.join());
    await pressUntil(page, 'Shift+Tab', async () => (await focused(earnings)) === 'Period');
    await page.keyboard.type('Today');
    await eventually(async () =>
      assert.equal(await earnings.locator('#period').inputValue(), 'today'),
    );
  });

  it('the page of the setup check has buttons that work with keys', slow, async () => {
    await settings.changeAndSee({ 'svc-x402.payToAddress': '' }, (wait) =>
      workbench.pane('Wallet').getByText('No payment address set').waitFor(wait),
    );
    await workbench.command('Svc: Check Setup');
    const report = await frameWith('main .checks .next');
    await read(report, 'main', 1);
    await report.getByText('Failed: Payment address').waitFor();
    await picture('8-setup');
    await pressUntil(page, 'Tab', async () => (await focused(report)) === 'Set Address…');
    await page.keyboard.press('Enter');
    await workbench.quick.waitFor();
    await page.keyboard.press('Escape');
    // Without it, the user's own address counts again.
    settings.replace({});
    await workbench.rows('Wallet').filter({ hasText: 'Loaded' }).waitFor();
  });

  for (const [name, theme] of Object.entries(THEMES)) {
    it(
      `${theme}: bars, marks and borders are 3 : 1, text 4.5 : 1, and axe finds nothing on any page`,
      slow,
      async () => {
        await workbench.command('Svc: Open Earnings in a Tab');
        const earnings = await frameWith('main h1:not(.unseen) + .tools');
        await earnings.locator('#routes li').first().waitFor();
        await settings.changeAndSee({ 'workbench.colorTheme': theme }, (wait) =>
          earnings.locator(`body.vscode-${name}`).waitFor(wait),
        );
        await picture(`earnings-${name}`);
        const colours = await earnings.evaluate(() => {
          const style = (selector) => getComputedStyle(document.querySelector(selector));
          const back = getComputedStyle(document.documentElement).getPropertyValue(
            '--vscode-editor-background',
          );
          const probe = document.createElement('i');
          probe.style.color = back;
          document.body.append(probe);
          const background = getComputedStyle(probe).color;
          probe.remove();
          return {
            background,
            bar: style('.bars rect').fill,
            text: style('.bars li').color,
            note: style('.note').color,
          };
        });
        const { background, bar, text, note } = colours;
        assert.ok(contrast(bar, background) >= 3, JSON.stringify(colours));
        assert.ok(contrast(text, background) >= 4.5, JSON.stringify(colours));
        assert.ok(contrast(note, background) >= 4.5, JSON.stringify(colours));
        await assertAxe(earnings, 'earnings in a tab');
        await workbench.expand('Earnings');
        const view = await frameWith('main h1.unseen + .tools');
        await view.locator('#routes li').first().waitFor();
        await assertAxe(view, 'earnings in the sidebar', 'sideBar');
        await workbench.collapse('Earnings');

        await workbench.rows('Recent Settlements').filter({ hasText: '0.01 USDC' }).first().click();
        const settlement = await frameWith('main details');
        await settlement.getByText('Money moved.').waitFor();
        await picture(`settlement-${name}`);
        await assertAxe(settlement, 'a settlement');
        await workbench.command('Svc: Test Payment by URL');
        const panel = await workbench.requestPage();
        await picture(`panel-${name}`);
        await assertAxe(panel, 'an empty request');
        await panel.locator('#url').fill(sellerUrl);
        await panel.locator('#send').click();
        await workbench.settled(panel);
        await panel.locator('#answer-headers summary').click();
        await assertAxe(panel, 'a paid request');
        await panel.locator('#url').fill('nowhere');
        await panel.locator('#headers .add').click();
        await panel.locator('#send').click();
        await panel.locator('#url[aria-invalid]').waitFor();
        await assertAxe(panel, 'a request with a problem, above the result of the one before');
        await panel.locator('#url').fill(`${new URL(sellerUrl).origin}/nothing`);
        await panel.locator('#send').click();
        await panel.locator('#headline.failed').waitFor();
        await assertAxe(panel, 'a request that was refused');
      },
    );
  }
});
