// What the screen says about servers, packages, the service and responses, in a real editor.
// usage: node --test test/editor/panel.ui.mjs   (EDITOR_DIR and VSIX as in ui.ui.mjs)

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  eventually,
  openBrowser,
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
const pictures = join(process.env.PICTURES ?? join(root, 'build', 'pictures'), 'panel');
mkdirSync(pictures, { recursive: true });
const slow = { timeout: 900_000 };

/** A server without packages: it prints nothing, and the system picks its port. */
const SILENT = `import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const KINDS = {
  '/gzip': (response) => response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(gzipSync('{"packed":true}')),
  '/latin1': (response) => response.writeHead(404, { 'content-type': 'text/plain; charset=iso-8859-1' }).end(Buffer.from('nicht für dich', 'latin1')),
  '/image': (response) => response.writeHead(200, { 'content-type': 'image/png' }).end(PNG),
  '/zip': (response) => response.writeHead(200, { 'content-type': 'application/zip' }).end(PNG),
  '/page': (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>A page</h1>'),
  '/long': (response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('x'.repeat(300000)),
  '/nothing': (response) => response.writeHead(204).end(),
  '/env': (response) => response.end(process.env.STELLAR_RPC_URL ?? 'unset'),
  '/never': () => undefined,
  '/closed': (response) => response.destroy(),
};
createServer((request, response) => {
  const kind = KINDS[request.url];
  if (kind !== undefined) return kind(response);
  if (request.method !== 'GET') {
    request.pipe(response);
    return;
  }
  if (request.url === '/login') {
    response.writeHead(302, { location: '/data', 'set-cookie': 'sid=7; Path=/' }).end();
    return;
  }
  if (request.url === '/private') {
    response.writeHead(401, { 'www-authenticate': 'Bearer realm="shop"' }).end();
    return;
  }
  response.writeHead(200, { 'content-type': 'application/json', 'x-cookie': request.headers.cookie ?? 'none' });
  response.end(JSON.stringify({ list: [1, 2], id: 12345678901234567890n.toString() }));
}).listen(0, '127.0.0.1');
`;

const TESTNET = 'https://soroban-testnet.stellar.org';
const MANY = [
  "const express = require('express');",
  'const app = express();',
  ...Array.from({ length: 40 }, (_, index) => `app.get('/r${index}', (q, r) => r.json({}));`),
  'app.listen(3000);\n',
].join('\n');

const SHADOWED = `const express = require('express');
const app = express();
app.get('/data/:id', (req, res) => res.json({ id: req.params.id }));
app.get('/data/gold', (req, res) => res.json({ gold: true }));
app.listen(3000);
`;

describe('what the screen says', { concurrency: false }, () => {
  let server;
  let browser;
  let page;
  let workbench;
  let folder;
  const picture = (name) => page.screenshot({ path: join(pictures, `${name}.png`) });
  const headline = (panel, text) => panel.locator('#headline').filter({ hasText: text }).waitFor();

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-panel-'));
    cpSync(join(here, 'fixtures/express'), folder, { recursive: true });
    writeFileSync(join(folder, 'shadowed.js'), SHADOWED);
    writeFileSync(join(folder, '.env'), `STELLAR_RPC_URL=${TESTNET}\n`);
    writeFileSync(join(folder, 'many.js'), MANY);
    writeFileSync(join(folder, 'many.test.js'), MANY);
    mkdirSync(join(folder, 'silent'));
    writeFileSync(join(folder, 'silent/app.mjs'), SILENT);
    writeFileSync(
      join(folder, 'silent/package.json'),
      JSON.stringify({ name: 'silent', type: 'module', scripts: { start: 'node app.mjs' } }),
    );
    server = await startEditor({ editor: process.env.EDITOR_DIR, vsix });
    browser = await openBrowser();
    const context = await browser.newContext({
      viewport: { width: 1280, height: 860 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(workbenchUrl(server.url, folder));
    workbench = new Workbench(page);
    await workbench.ready();
  }, slow);

  after(async () => {
    if (page) await picture('99-last');
    await browser?.close();
    await server?.stop();
  });

  it(
    '[finding: E2] [finding: E7] the port is the one that the server opened, and the response is shown as it came',
    slow,
    async () => {
      await workbench.openFile('app.mjs');
      await workbench.command('Svc: Test Payment by URL');
      const panel = await workbench.requestPage();
      await panel.locator('#url').fill('http://localhost:3000/data');
      await panel.locator('#start').click();
      await headline(panel, 'The endpoint did not ask for a payment');
      const url = await panel.locator('#url').inputValue();
      assert.match(url, /^http:\/\/localhost:\d+\/data$/);
      assert.doesNotMatch(url, /:3000/);
      const status = await panel.locator('#status').textContent();
      assert.match(status ?? '', /^200 OK · \d+ ms · 42 B · application\/json$/);
      await panel.locator('.json summary').first().waitFor();
      assert.match((await panel.locator('.json').textContent()) ?? '', /"12345678901234567890"/);
      assert.equal(await panel.locator('#steps li').count(), 0, 'no step of a payment was run');
      await panel.locator('#answer-headers summary').click();
      await panel.locator('#answer-headers').getByText('x-cookie').waitFor();
      await picture('01-response');
    },
  );

  it(
    '[finding: E7] a redirect is shown, and followed on request with the cookie that came with it',
    slow,
    async () => {
      const panel = await workbench.requestPage();
      const url = await panel.locator('#url').inputValue();
      await panel.locator('#url').fill(url.replace('/data', '/login'));
      await panel.locator('#outdated').waitFor();
      await panel.locator('#send').click();
      await headline(panel, 'redirects to another address');
      assert.equal(await panel.locator('#steps li.waiting').count(), 0);
      await panel.getByRole('button', { name: 'Follow the Redirect' }).click();
      await headline(panel, 'did not ask for a payment');
      assert.match((await panel.locator('#answer-headers').textContent()) ?? '', /sid=7/);
      await panel.locator('#url').fill(url.replace('/data', '/private'));
      await panel.locator('#send').click();
      await headline(panel, 'asks for authorization');
      assert.match((await panel.locator('#detail').textContent()) ?? '', /Bearer realm="shop"/);
      await picture('02-authorization');
    },
  );

  it(
    '[finding: E6] addresses of a project are kept: that is said once, and its server gets no others',
    slow,
    async () => {
      const toast = workbench.toast('Your terminals set STELLAR_RPC_URL to');
      await toast.getByRole('button', { name: 'Keep Mine' }).click();
      const panel = await workbench.requestPage();
      const { origin } = new URL(await panel.locator('#url').inputValue());
      assert.equal(await (await fetch(`${origin}/env`)).text(), 'unset');
      await pause(1_000);
      assert.equal(await toast.count(), 0, 'it is not asked again');
    },
  );

  it(
    '[finding: E5] the SDK code that is copied is a whole program for this network',
    slow,
    async () => {
      const panel = await workbench.requestPage();
      await panel.locator('#sdk').click();
      await workbench.status('Copied: SDK code').waitFor();
      const code = await page.evaluate(() => navigator.clipboard.readText());
      const { network } = JSON.parse(
        readFileSync(join(server.shared, 'local/service.json'), 'utf8'),
      );
      assert.ok(code.includes(`?? '${network.rpcUrl}'`), code);
      assert.match(code, /allowedAssets: \[USDC\]/);
      assert.match(code, /^import \{ accountSigner, createX402Fetch, USDC \} from/m);
      const file = join(folder, 'copied.mjs');
      writeFileSync(file, code);
      const checked = spawnSync(process.execPath, ['--check', file], { encoding: 'utf8' });
      assert.equal(checked.status, 0, checked.stderr);
    },
  );

  /** What is sent and what the page shows of it, without an editor for each: fortyRequests.test.ts has all of them. */
  const KINDS = [
    { path: '/gzip', headline: 'did not ask for', body: /"packed": true/ },
    { path: '/latin1', headline: 'refused the request', body: /^nicht für dich$/ },
    { path: '/image', headline: 'did not ask for', element: 'img[src^="data:image/png"]' },
    { path: '/zip', headline: 'did not ask for', note: /Save it/ },
    { path: '/page', headline: 'did not ask for', body: /<h1>A page/, element: 'details summary' },
    { path: '/long', headline: 'did not ask for', note: /^The first 200000 of 300000/ },
    { path: '/nothing', headline: 'did not ask for', body: /has no body/ },
    { path: '/closed', headline: 'ended before a response came' },
    { path: '/never', limit: '1', headline: 'within the time limit' },
    { path: '/echo', method: 'POST', sent: 'Grüße', headline: 'did not ask', body: /^Grüße$/ },
  ];

  it(
    '[finding: E7] each kind of response is shown on the page as the server sent it',
    slow,
    async () => {
      const panel = await workbench.requestPage();
      const { origin } = new URL(await panel.locator('#url').inputValue());
      for (const { path, method = 'GET', sent = '', limit = '', ...shown } of KINDS) {
        await panel.locator('#method').selectOption(method);
        await panel.locator('#url').fill(`${origin}${path}`);
        await panel.locator('#body').fill(sent);
        await panel.locator('#timeLimit').fill(limit);
        await panel.locator('#outdated').waitFor();
        await panel.locator('#send').click();
        await panel.locator('#outdated').waitFor({ state: 'hidden' });
        await headline(panel, shown.headline);
        await panel.locator('#cancel').waitFor({ state: 'hidden' });
        const textOf = async (selector) => (await panel.locator(selector).textContent()) ?? '';
        if (shown.body) assert.match(await textOf('#body-view'), shown.body, path);
        if (shown.note) assert.match(await textOf('#answer-notes'), shown.note, path);
        if (shown.element) await panel.locator(`#body-view ${shown.element}`).first().waitFor();
      }
      await panel.locator('#method').selectOption('GET');
      await panel.locator('#body').fill('');
      await panel.locator('#timeLimit').fill('');
      await picture('02-kinds');
    },
  );

  it(
    '[finding: E2] a server that ends says so with its last lines, and is not said to be silent',
    slow,
    async () => {
      writeFileSync(join(folder, 'silent/app.mjs'), "throw new Error('the key is missing');\n");
      const panel = await workbench.requestPage();
      await panel.locator('#url').fill('http://localhost:1/data');
      await panel.locator('#start').click();
      await headline(panel, 'Your server ended before it served this endpoint');
      assert.match((await panel.locator('#detail').textContent()) ?? '', /the key is missing/);
      await picture('03-ended');
      await workbench.command('View: Close All Editors');
    },
  );

  it(
    '[finding: E1] a route that another one answers first is reported before the change',
    slow,
    async () => {
      await workbench.openFile('shadowed.js');
      await workbench.commandAndPick('Svc: Add x402 payment to this endpoint', '/data/gold');
      await workbench.quickRow('Create Local Wallet').click();
      await workbench.asked('Price per request');
      await workbench.answer('0.01');
      await workbench.describe('Gold');
      const toast = workbench.toast('answers the same requests before this route');
      await toast.waitFor();
      const note = page.locator('.monaco-diff-editor .review-comment');
      await note.filter({ hasText: 'asks for no payment' }).first().waitFor();
      await picture('04-notes');
      await toast.getByRole('button', { name: 'Discard Change' }).click();
      await page.locator('.monaco-diff-editor').waitFor({ state: 'detached' });
      await pause(300);
      assert.equal(readFileSync(join(folder, 'shadowed.js'), 'utf8'), SHADOWED);
    },
  );

  it(
    '[finding: E8] [finding: E9] a lens acts on its own route, and a price of a slip asks twice',
    slow,
    async () => {
      await workbench.openFile('shadowed.js');
      const lenses = page.locator('.codelens-decoration a');
      await lenses.filter({ hasText: 'Add x402 Payment…' }).first().click();
      await workbench.asked('Price per request');
      await workbench.answer('99999999999');
      await workbench.asked('Press Enter again');
      await picture('05-price');
      await page.keyboard.press('Escape');
      assert.equal(readFileSync(join(folder, 'shadowed.js'), 'utf8'), SHADOWED);
    },
  );

  it(
    '[finding: E8] a file with many endpoints has one lens for all, and a test has none',
    slow,
    async () => {
      const lenses = page.locator('.codelens-decoration a');
      await workbench.openFile('many.js');
      await lenses.filter({ hasText: 'One of 40 Endpoints' }).waitFor();
      assert.equal(await lenses.count(), 1);
      await workbench.openFile('many.test.js');
      await pause(2_000);
      assert.equal(await page.locator('.editor-instance .codelens-decoration a').count(), 0);
      await workbench.command('View: Close All Editors');
    },
  );

  it(
    '[finding: E3] a payment whose packages are not installed says so above the route',
    slow,
    async () => {
      writeFileSync(
        join(folder, 'gated.js'),
        "// svc-x402: payments\nconst { paymentMiddleware } = require('@x402/express');\nconst express = require('express');\nconst app = express();\napp.use(paymentMiddleware({ 'GET /paid': { accepts: { price: '$0.01' } } }));\n// svc-x402: end\napp.get('/paid', (req, res) => res.json({}));\n",
      );
      await workbench.openFile('gated.js');
      await page
        .locator('.codelens-decoration a')
        .filter({ hasText: 'Install Packages' })
        .first()
        .waitFor();
      await workbench.command('View: Focus Problems');
      await page.locator('.markers-panel').getByText('Not installed: @x402/express').waitFor();
      await picture('05-packages');
      await workbench.command('View: Toggle Panel Visibility');
    },
  );

  it(
    '[finding: E4] a service that hangs is shown as not responding everywhere, and can be restarted',
    slow,
    async () => {
      await workbench.openContainer('Svc x402');
      await workbench.status('x402 local :').waitFor();
      const path = join(server.shared, 'local/service.json');
      const { pid } = JSON.parse(readFileSync(path, 'utf8'));
      process.kill(pid, 'SIGSTOP');
      try {
        await page
          .locator(
            '.statusbar-item[aria-label*="isn\'t responding"], .statusbar-item a[aria-label*="isn\'t responding"]',
          )
          .first()
          .waitFor();
        const restart = workbench.rows('Wallet').filter({ hasText: 'Restart Service' });
        await restart.waitFor();
        await workbench.rows('Wallet').filter({ hasText: "isn't responding" }).waitFor();
        await picture('06-hangs');
        await restart.click();
        await eventually(() => assert.notEqual(JSON.parse(readFileSync(path, 'utf8')).pid, pid));
        await workbench.status('x402 local :').waitFor();
      } finally {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // It has ended.
        }
      }
    },
  );

  it('a saved request is run from its file', slow, async () => {
    const { facilitatorUrl } = JSON.parse(
      readFileSync(join(server.shared, 'local/service.json'), 'utf8'),
    );
    writeFileSync(
      join(folder, 'requests.x402.http'),
      `@host = ${facilitatorUrl}\n\n### Health\nGET {{host}}/health\n`,
    );
    await workbench.openFile('requests.x402.http');
    await page.locator('.codelens-decoration a').filter({ hasText: 'Run' }).first().click();
    const panel = await workbench.requestPage();
    await headline(panel, 'did not ask for a payment');
    assert.equal(await panel.locator('#url').inputValue(), `${facilitatorUrl}/health`);
    await picture('07-saved');
  });
});
