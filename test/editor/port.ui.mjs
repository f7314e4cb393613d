// A local port is sold: a folder with a server in Python, from the command to a settled payment, without a change of its code.
// usage: node --test test/editor/port.ui.mjs   (EDITOR_DIR and VSIX as in ui.ui.mjs; needs python3)

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  eventually,
  openBrowser,
  PATIENCE_MS,
  startEditor,
  workbenchUrl,
} from './lib/editorServer.mjs';
import { Workbench } from './lib/workbench.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const vsix = process.env.VSIX ?? join(root, 'build', `svc-x402-${version}.vsix`);
const pictures = join(process.env.PICTURES ?? join(root, 'build', 'pictures'), 'port');
mkdirSync(pictures, { recursive: true });
const slow = { timeout: 900_000 };
const hasPython = spawnSync('python3', ['--version']).status === 0;
const skip = hasPython
  ? false
  : 'python3 is not installed: the server that is sold here is written in Python';

/** A server of Python's own library: it prints its port, which the system picks, and each request that it gets. */
const APP = `import json
from http.server import BaseHTTPRequestHandler, HTTPServer

class Weather(BaseHTTPRequestHandler):
    def do_GET(self):
        body = json.dumps({'city': 'Lima', 'paidBy': self.headers.get('X402-Payer')}).encode()
        self.send_response(200 if self.path == '/weather' else 404)
        self.send_header('content-type', 'application/json')
        self.send_header('content-length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        print(self.path, flush=True)

server = HTTPServer(('127.0.0.1', 0), Weather)
print(server.server_port, flush=True)
server.serve_forever()
`;

describe('"Svc: Charge for a Local Port…"', { concurrency: false, skip }, () => {
  let editor;
  let browser;
  let page;
  let workbench;
  let folder;
  let python;
  let port;
  let proxy;
  let printed = '';
  const picture = (name) => page.screenshot({ path: join(pictures, `${name}.png`) });
  const saleRow = () =>
    workbench
      .rows('My Endpoints')
      .filter({ hasText: `sells 127.0.0.1:${port}` })
      .first();

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-port-'));
    writeFileSync(join(folder, 'app.py'), APP);
    python = spawn('python3', ['app.py'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
    python.stdout.setEncoding('utf8').on('data', (text) => {
      printed += text;
    });
    const [first] = await Promise.race([
      once(python.stdout, 'data'),
      once(python, 'exit').then(() => assert.fail('the server in Python ended')),
    ]);
    port = Number(String(first).split('\n')[0]);
    editor = await startEditor({ editor: process.env.EDITOR_DIR, vsix });
    browser = await openBrowser();
    page = await (await browser.newContext({ viewport: { width: 1280, height: 860 } })).newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(workbenchUrl(editor.url, folder));
    workbench = new Workbench(page);
    await workbench.ready();
  }, slow);

  after(async () => {
    if (page) await picture('99-last');
    await browser?.close();
    await editor?.stop();
    python?.kill('SIGKILL');
  });

  it('is where the walkthrough begins in a folder without JavaScript', slow, async () => {
    await workbench.command('Svc: Reopen Getting Started');
    await page
      .locator('.getting-started-step')
      .filter({ hasText: 'Charge for what your server serves' })
      .first()
      .waitFor();
    const steps = await page.locator('.getting-started-step .step-title').allTextContents();
    assert.match(steps[0] ?? '', /Charge for what your server serves/);
    assert.ok(!steps.some((text) => /Put a price on an endpoint/.test(text)), steps.join(' | '));
    await picture('01-walkthrough');
    await workbench.command('View: Close All Editors');
  });

  it('is offered where the command for code has nothing to change', slow, async () => {
    await workbench.openFile('app.py');
    await workbench.command('Svc: Add x402 Payment to This Endpoint');
    const toast = workbench.toast('Servers in other languages are sold by their port');
    await toast.getByRole('button', { name: 'Charge for a Local Port' }).click();
    await workbench.quickRow(`:${port}`).first().waitFor();
    await picture('02-ports');
    assert.match((await workbench.quickRow(`:${port}`).first().textContent()) ?? '', /app\.py/);
  });

  it('sells the port that is chosen, and the test payment settles', slow, async () => {
    await workbench.pick(`:${port}`);
    await workbench.quickRow('Create Local Wallet').click();
    await workbench.asked('Price per request');
    await workbench.answer('0.02');
    const toast = workbench.toast('Buyers pay 0.02 USDC for each request');
    await toast.waitFor();
    proxy = /http:\/\/127\.0\.0\.1:\d+/.exec((await toast.textContent()) ?? '')?.[0];
    assert.ok(proxy !== undefined);
    assert.equal((await fetch(`${proxy}/weather`)).status, 402);
    assert.ok(!printed.includes('/weather'), 'a request without a payment reached the server');
    await saleRow().waitFor();
    await picture('03-sold');
    await toast.getByRole('button', { name: 'Test Payment' }).click();
    const panel = await workbench.requestPage();
    await eventually(async () =>
      assert.equal(await panel.locator('#url').inputValue(), `${proxy}/`),
    );
    await panel.locator('#url').fill(`${proxy}/weather`);
    await panel.locator('#send').click();
    await workbench.settled(panel);
    assert.match((await panel.locator('body').textContent()) ?? '', /0\.02 USDC/);
    assert.equal(printed.split('\n').filter((line) => line === '/weather').length, 1);
    await picture('04-settled');
    await workbench.rows('Recent Settlements').filter({ hasText: '0.02 USDC' }).first().waitFor();
  });

  it('takes nothing for what the server does not have', slow, async () => {
    const panel = await workbench.requestPage();
    await panel.locator('#url').fill(`${proxy}/nothing`);
    await panel.locator('#send').click();
    await panel.locator('#headline.failed').waitFor();
    await picture('05-not-found');
    assert.doesNotMatch((await panel.locator('#headline').textContent()) ?? '', /settled/i);
  });

  it('saves what is sold as x402.yaml', slow, async () => {
    await workbench.command('Svc: Save as x402.yaml');
    await workbench.quickInput.waitFor();
    await page.keyboard.press('Enter');
    const path = join(folder, 'x402.yaml');
    await eventually(() => assert.ok(existsSync(path)));
    const text = readFileSync(path, 'utf8');
    assert.match(text, new RegExp(`^upstream: http://127\\.0\\.0\\.1:${port}$`, 'm'));
    assert.match(text, /^otherwise: 0\.02$/m);
    assert.match(text, /^payTo: G[A-Z2-7]{55}$/m);
    await picture('06-saved');
  });

  it('ends with Stop, and the server is still there', slow, async () => {
    await saleRow().hover();
    await saleRow().getByRole('button', { name: 'Stop Charging' }).click();
    await saleRow().waitFor({ state: 'detached' });
    await eventually(async () => assert.equal(await isServed(proxy), false));
    assert.equal(await isServed(`http://127.0.0.1:${port}`), true);
    assert.equal(readFileSync(join(folder, 'app.py'), 'utf8'), APP);
    await picture('07-stopped');
  });
});

const isServed = (url) =>
  fetch(url).then(
    () => true,
    () => false,
  );
