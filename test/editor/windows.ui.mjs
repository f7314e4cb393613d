// Code finds its facilitator over reloads, crashes and windows. usage: node --test test/editor/windows.ui.mjs
// (EDITOR_DIR and VSIX as in ui.ui.mjs)

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { install, paidApi } from '../../scripts/prepare.mjs';
import {
  eventually,
  openBrowser,
  PATIENCE_MS,
  pause,
  startEditor,
  timesBusy,
  workbenchUrl,
} from './lib/editorServer.mjs';
import { Workbench } from './lib/workbench.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '..', '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const vsix = process.env.VSIX ?? join(root, 'build', `svc-x402-${version}.vsix`);
const editor = process.env.EDITOR_DIR;
/** More than several waits of a test, each of which fails first and names what it waited for. */
const slow = { timeout: 900_000 };
const PAY_TO = 'GCA2YZDJXO3VHRGPGIDFMWDRFK5XPMDSH5CAHR5IT34CMQWOZNRM5MQO';
const GATE = '// svc-x402: payments\nconst PAYMENT_CONFIG = {};\n// svc-x402: end of payments\n';
/** On a machine that does nothing else; with more work than processors it takes longer in proportion. */
const OPENED_WITHIN_MS = 5_000;

function projectWithGate() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-gate-'));
  cpSync(join(here, 'fixtures/express'), folder, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  manifest.dependencies['@x402/express'] = '*';
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'server.js'), GATE);
  return folder;
}

describe('windows with a gate', { concurrency: false }, () => {
  let server;
  let browser;
  let folder;
  let seller;
  const sellerPort = freePort();
  const service = () => JSON.parse(readFileSync(join(server.shared, 'local/service.json'), 'utf8'));
  const openWindow = async (path) => {
    const page = await (
      await browser.newContext({ viewport: { width: 1280, height: 860 } })
    ).newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(workbenchUrl(server.url, path));
    const workbench = new Workbench(page);
    await workbench.ready();
    return { page, workbench };
  };
  const startSeller = async (facilitatorUrl) => {
    seller?.kill('SIGKILL');
    seller = spawn(process.execPath, ['seller.mjs', '--json'], {
      cwd: paidApi,
      env: {
        PATH: process.env.PATH,
        FACILITATOR_URL: facilitatorUrl,
        PAY_TO,
        PORT: String(await sellerPort),
      },
      stdio: 'ignore',
    });
  };
  /** The status of the paid endpoint; undefined while nothing answers. */
  const status = async () =>
    fetch(`http://127.0.0.1:${await sellerPort}/weather/Lima`).then(
      (response) => response.status,
      () => undefined,
    );

  before(async () => {
    await install(paidApi);
    folder = projectWithGate();
    server = await startEditor({ editor, vsix });
    browser = await openBrowser();
  }, slow);

  after(async () => {
    seller?.kill('SIGKILL');
    await browser?.close();
    await server?.stop();
  });

  it('a window without a view of ours starts the service for its gate', slow, async () => {
    const { page, workbench } = await openWindow(folder);
    await workbench.status('x402 local :').waitFor();
    await startSeller(service().facilitatorUrl);
    await eventually(async () => assert.equal(await status(), 402));
    await page.close();
  });

  it('a second window uses the same service, and a reload keeps it', slow, async () => {
    const one = await openWindow(folder);
    await one.workbench.status('x402 local :').waitFor();
    const { pid, facilitatorUrl } = service();
    const two = await openWindow(mkdtempSync(join(tmpdir(), 'svc-other-')));
    await two.workbench.openContainer('Svc x402');
    const port = new URL(facilitatorUrl).port;
    await one.workbench.status(`x402 local :${port}`).waitFor();
    await two.workbench.status(`x402 local :${port}`).waitFor();
    assert.equal(service().pid, pid);
    await one.page.reload();
    await one.workbench.ready();
    await one.workbench.status(`x402 local :${port}`).waitFor();
    await one.page.close();
    await pause(1_000);
    assert.equal(service().pid, pid, 'the other window uses it');
    assert.equal(await status(), 402);
    await two.page.close();
  });

  it('a killed service returns on its port, and the gate answers 402 again', slow, async () => {
    const { page, workbench } = await openWindow(folder);
    await workbench.status('x402 local :').waitFor();
    const before = service();
    process.kill(before.pid, 'SIGKILL');
    await eventually(() => assert.notEqual(service().pid, before.pid));
    assert.equal(service().facilitatorUrl, before.facilitatorUrl);
    await workbench.status('x402 local :').waitFor();
    await startSeller(before.facilitatorUrl);
    await eventually(async () => assert.equal(await status(), 402));
    await page.close();
  });

  it(
    'E1: a gate in a reopened window answers 402 within 5 seconds of opening, at the port its code knows',
    slow,
    async (test) => {
      const open = await openWindow(folder);
      await open.workbench.status('x402 local :').waitFor();
      const { facilitatorUrl, pid } = service();
      const { home } = server;
      // The editor crashes: no window says that it closes.
      await server.stop({ keep: true });
      await open.page.close();
      await eventually(() => assert.throws(() => process.kill(pid, 0)));
      // Another program takes the port that everybody tries first, unless it is the service's own.
      const foreign = createServer();
      const port = facilitatorUrl.endsWith(':4021') ? 0 : 4021;
      await new Promise((resolve) => {
        foreign.once('error', resolve).listen(port, '127.0.0.1', resolve);
      });
      try {
        await startSeller(facilitatorUrl);
        await eventually(async () => assert.notEqual(await status(), undefined));
        assert.notEqual(await status(), 402, 'nobody answers it yet');
        server = await startEditor({ editor, vsix, home });
        const { workbench } = await openWindow(folder);
        const opened = Date.now();
        await startSeller(facilitatorUrl);
        await eventually(async () => assert.equal(await status(), 402));
        const ms = Date.now() - opened;
        const times = timesBusy();
        test.diagnostic(`402 after ${ms} ms, ${times.toFixed(1)} times busy`);
        // The service answers a moment before its file says where it is.
        await eventually(() => assert.equal(service().facilitatorUrl, facilitatorUrl));
        assert.ok(ms <= OPENED_WITHIN_MS * times, `${ms} ms, ${times} times busy`);
        await workbench.status('x402 local :').waitFor();
      } finally {
        foreign.close();
      }
    },
  );
});

function freePort() {
  return new Promise((resolve) => {
    const socket = createServer().listen(0, '127.0.0.1', () => {
      const { port } = socket.address();
      socket.close(() => resolve(port));
    });
  });
}
