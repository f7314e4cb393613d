// A newcomer's way, by script: an empty editor, the .vsix, an Express app without payments, and at
// its end a settled payment that agents can find. Offline but for the packages of the app.
// usage: node --test test/editor/newcomer.ui.mjs   (EDITOR_DIR and VSIX as in ui.ui.mjs)

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { eventually, openBrowser, startEditor, workbenchUrl } from './lib/editorServer.mjs';
import { Workbench } from './lib/workbench.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '..', '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const vsix = process.env.VSIX ?? join(root, 'build', `svc-x402-${version}.vsix`);
const pictures = join(process.env.PICTURES ?? join(root, 'build', 'pictures'), 'newcomer');
mkdirSync(pictures, { recursive: true });

it('from nothing to a settled payment', { timeout: 600_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-newcomer-'));
  cpSync(join(here, 'fixtures/express'), folder, { recursive: true });
  const begun = Date.now();
  const laps = [];
  const lap = (what) => {
    laps.push(`${((Date.now() - begun) / 1000).toFixed(1)} s  ${what}`);
  };
  const server = await startEditor({ editor: process.env.EDITOR_DIR, vsix });
  const browser = await openBrowser();
  let seller;
  try {
    const page = await (
      await browser.newContext({ viewport: { width: 1280, height: 860 } })
    ).newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(workbenchUrl(server.url, folder));
    const workbench = new Workbench(page);
    await workbench.ready();
    lap('the .vsix is installed and the editor open');
    const picture = (name) => page.screenshot({ path: join(pictures, `${name}.png`) });

    await workbench.openContainer('Svc x402');
    await workbench.pane('Wallet').getByText('Create Local Wallet').click();
    await workbench.rows('Wallet').filter({ hasText: 'Loaded' }).waitFor();
    lap('a local wallet');

    await workbench.openFile('server.js');
    await page.locator('.codelens-decoration a').filter({ hasText: 'Add x402 Payment' }).click();
    await workbench.pick('GET /weather');
    await workbench.answer('0.01');
    await workbench.describe('The weather of a city');
    await page.keyboard.press('ControlOrMeta+S');
    await eventually(() =>
      assert.match(readFileSync(join(folder, 'server.js'), 'utf8'), /paymentMiddleware/),
    );
    lap('a payment before the route');
    await workbench.quickRow('Install').first().waitFor();
    await picture('1-gated');

    await workbench.pick('Install');
    // Where the package source lacks versions, the offer of overrides helps.
    const done = workbench.toast('The packages are installed');
    const again = workbench.toast('could not be installed');
    const lacking = workbench.toast('does not serve');
    await done.or(again).or(lacking).first().waitFor({ timeout: 240_000 });
    if (await lacking.isVisible()) {
      await lacking.getByRole('button', { name: 'Install Anyway' }).click();
      await done.or(again).first().waitFor({ timeout: 240_000 });
    }
    if (await again.isVisible()) {
      await again.getByRole('button', { name: /Overrides/ }).click();
    }
    await eventually(
      () => readFileSync(join(folder, 'node_modules/@x402/express/package.json'), 'utf8'),
      240_000,
    );
    await eventually(
      () => readFileSync(join(folder, 'node_modules/@x402/stellar/package.json'), 'utf8'),
      60_000,
    );
    await eventually(
      () => readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'),
      120_000,
    );
    lap('the packages are installed');
    await picture('2-installed');

    const { facilitatorUrl } = JSON.parse(
      readFileSync(join(server.shared, 'local/service.json'), 'utf8'),
    );
    const port = await freePort();
    let said = '';
    seller = spawn(process.execPath, ['server.js'], {
      cwd: folder,
      env: { PATH: process.env.PATH, PORT: String(port), FACILITATOR_URL: facilitatorUrl },
    });
    for (const stream of [seller.stdout, seller.stderr]) {
      stream.on('data', (chunk) => {
        said += chunk;
      });
    }
    const url = `http://127.0.0.1:${port}/weather`;
    await eventually(async () => assert.equal((await fetch(url)).status, 402, said), 60_000);
    lap('the server runs and asks for a payment');

    await workbench.command('Notifications: Clear All Notifications');
    await workbench.testPayment(url);
    await workbench.rows('Recent Settlements').filter({ hasText: '0.01 USDC' }).waitFor();
    lap('a settled test payment');
    await workbench.rows('My Endpoints').filter({ hasText: '/weather' }).waitFor();
    await workbench.expand('Earnings');
    await eventually(async () =>
      assert.ok((await workbench.framed('#total')).includes('0.01 USDC')),
    );
    lap('seen in the four views');
    await workbench.command('View: Toggle Panel Visibility');
    await workbench.command('Notifications: Clear All Notifications');
    await picture('3-paid');

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
    seller?.kill('SIGKILL');
    await browser.close();
    await server.stop();
  }
});

function freePort() {
  return new Promise((resolve) => {
    const socket = createServer().listen(0, '127.0.0.1', () => {
      const { port } = socket.address();
      socket.close(() => resolve(port));
    });
  });
}
