// A newcomer's way, by script: an empty editor, the .vsix, an Express app without payments, and at
// its end a settled payment that agents can find. Offline but for the packages of the app.
// usage: node --test test/editor/newcomer.ui.mjs   (EDITOR_DIR and VSIX as in ui.ui.mjs; THEME: the name of a colour theme)

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  eventually,
  hasTerminals,
  openBrowser,
  PATIENCE_MS,
  startEditor,
  timesBusy,
  workbenchUrl,
} from './lib/editorServer.mjs';
import { Workbench } from './lib/workbench.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '..', '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const vsix = process.env.VSIX ?? join(root, 'build', `svc-x402-${version}.vsix`);
const theme = process.env.THEME;
const pictures = join(
  process.env.PICTURES ?? join(root, 'build', 'pictures'),
  ['newcomer', ...(theme?.toLowerCase().split(' ') ?? [])].join('-'),
);
mkdirSync(pictures, { recursive: true });

/** Milliseconds from the .vsix to a settled payment, without what npm takes, on an idle machine. */
const MAX_MS = 90_000;
const MAX_NOTIFICATIONS = 2;

it('E16: from nothing to a settled payment, using only what the window offers', {
  timeout: 1_200_000,
}, async (test) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-newcomer-'));
  cpSync(join(here, 'fixtures/express'), folder, { recursive: true });
  const port = await freePort();
  const file = join(folder, 'server.js');
  writeFileSync(file, readFileSync(file, 'utf8').replace('3000', String(port)));
  const url = `http://localhost:${port}/weather`;
  const begun = Date.now();
  const laps = [];
  let last = begun;
  let npmMs = 0;
  const lap = (what) => {
    const now = Date.now();
    const at = ((now - begun) / 1000).toFixed(1).padStart(6);
    laps.push(`${at} s  (${((now - last) / 1000).toFixed(1)} s)  ${what}`);
    last = now;
  };
  const settings = theme === undefined ? {} : { 'workbench.colorTheme': theme };
  const server = await startEditor({ editor: process.env.EDITOR_DIR, vsix, settings });
  const localService = () =>
    JSON.parse(readFileSync(join(server.shared, 'local/service.json'), 'utf8'));
  const browser = await openBrowser();
  let seller;
  try {
    const page = await (
      await browser.newContext({ viewport: { width: 1280, height: 860 } })
    ).newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(workbenchUrl(server.url, folder));
    const workbench = new Workbench(page);
    await workbench.ready();
    lap('the .vsix is installed and the editor open');
    const notified = await noteNotifications(page);
    const picture = (name) => page.screenshot({ path: join(pictures, `${name}.png`) });

    // Nothing but what is seen in the window: no palette.
    await page.locator('.explorer-folders-view .monaco-list-row').getByText('server.js').click();
    await page.locator('.codelens-decoration a').filter({ hasText: 'Add x402 Payment' }).click();
    lap('the offer above the route');
    await picture('0-lens');
    await workbench.quickRow('Create Local Wallet').click();
    lap('who is paid: a new wallet');
    await workbench.asked('Price per request');
    await workbench.answer('0.01');
    await workbench.describe('The weather of a city');
    await workbench.paymentAdded();
    lap('the price, and a payment before the route');
    await workbench.quickRow('Install').first().waitFor();
    await picture('1-gated');

    const npmBegun = Date.now();
    await workbench.pick('Install');
    const done = workbench.toast('The packages are installed');
    const failed = workbench.toast('could not be installed');
    const lacking = workbench.toast('does not serve');
    await done.or(failed).or(lacking).first().waitFor({ timeout: 240_000 });
    let sourceLacks = false;
    if (await lacking.isVisible()) {
      sourceLacks = true;
      await lacking.getByRole('button', { name: 'Install Anyway' }).click();
      await done.or(failed).first().waitFor({ timeout: 240_000 });
    }
    if (await failed.isVisible()) {
      sourceLacks = true;
      await failed.getByRole('button', { name: /Overrides/ }).click();
      await done.waitFor({ timeout: 240_000 });
    }
    npmMs = Date.now() - npmBegun;
    lap('the packages are installed');
    await picture('2-installed');

    await page.locator('.editor-instance .monaco-editor').first().click();
    await page.keyboard.press('ControlOrMeta+S');
    await eventually(() => assert.match(readFileSync(file, 'utf8'), /paymentMiddleware/));
    await done.getByRole('button', { name: 'Test Payment' }).click();
    const panel = await workbench.requestPage();
    await eventually(async () => assert.equal(await panel.locator('#url').inputValue(), url));
    lap('the test panel, with the URL of the route');
    if (hasTerminals(process.env.EDITOR_DIR)) await panel.locator('#start').click();
    else {
      test.diagnostic('this editor has no terminals: the server is started outside of it');
      const { PATH } = process.env;
      const env = { PATH, FACILITATOR_URL: localService().facilitatorUrl };
      seller = spawn(process.execPath, [file], { cwd: folder, env, stdio: 'inherit' });
      await eventually(async () => assert.equal((await fetch(url)).status, 402));
      await panel.locator('#send').click();
    }
    await workbench.settled(panel);
    lap('the server started and a settled test payment');
    const paidMs = Date.now() - begun - npmMs;
    await workbench.toast('Your first payment has settled').waitFor();
    await picture('3-settled');

    const { facilitatorUrl, network } = localService();
    // Where ports are forwarded, the editor announces every program of the machine; of the service it is to keep silent.
    const own = [facilitatorUrl, network.rpcUrl].map((address) => new URL(address).port);
    const seen = (await notified()).filter((text) => {
      const announced = /^Your application running on port (\d+) /.exec(text)?.[1];
      return announced === undefined || own.includes(announced);
    });
    console.log(`notifications: ${JSON.stringify(seen)}`);
    if (sourceLacks) test.diagnostic('the package source lacks versions, which is reported too');
    else assert.ok(seen.length <= MAX_NOTIFICATIONS, seen.join('\n'));
    console.log(`from .vsix to settled without npm: ${(paidMs / 1000).toFixed(1)} s`);
    const times = timesBusy();
    assert.ok(paidMs <= MAX_MS * times, `${paidMs} ms, ${times.toFixed(1)} times busy`);

    await workbench.openContainer('Svc x402');
    await workbench.rows('Recent Settlements').filter({ hasText: '0.01 USDC' }).waitFor();
    await workbench.rows('My Endpoints').filter({ hasText: '/weather' }).waitFor();
    await workbench.expand('Earnings');
    await eventually(async () =>
      assert.ok((await workbench.framed('#total')).includes('0.01 USDC')),
    );
    lap('seen in the four views');
    await workbench.command('View: Toggle Panel Visibility');
    await workbench.command('Notifications: Clear All Notifications');
    await picture('4-paid');

    const client = new Client({ name: 'newcomer', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [join(root, 'dist/mcp.js')],
        env: { PATH: process.env.PATH, FACILITATOR_URL: facilitatorUrl },
      }),
    );
    const found = await client.callTool({
      name: 'x402_search_resources',
      arguments: { query: 'weather' },
    });
    await client.close();
    assert.ok(
      found.structuredContent.resources.some(({ resource }) => resource === url),
      JSON.stringify(found.structuredContent),
    );
    lap('found by x402_search_resources');
  } finally {
    console.log(laps.join('\n'));
    seller?.kill();
    await browser.close();
    await server.stop();
  }
});

/** Notes every notification from now on. @returns a function that returns their texts */
async function noteNotifications(page) {
  await page.evaluate(() => {
    const seen = new Set();
    Reflect.set(window, 'notificationsSeen', seen);
    const note = () => {
      for (const one of document.querySelectorAll(
        '.notifications-toasts .notification-list-item-message',
      )) {
        if (one.textContent) seen.add(one.textContent);
      }
    };
    new MutationObserver(note).observe(document.body, { childList: true, subtree: true });
    note();
  });
  return () => page.evaluate(() => [...Reflect.get(window, 'notificationsSeen')]);
}

function freePort() {
  return new Promise((resolve) => {
    const socket = createServer().listen(0, '127.0.0.1', () => {
      const { port } = socket.address();
      socket.close(() => resolve(port));
    });
  });
}
