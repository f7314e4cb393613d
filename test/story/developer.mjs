import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  eventually,
  openBrowser,
  PATIENCE_MS,
  startEditor,
  workbenchUrl,
} from '../editor/lib/editorServer.mjs';
import { Workbench } from '../editor/lib/workbench.mjs';

const MAX_BYTES = 120_000;
/** Rows of settlements that there is room for beside the earnings. */
const ROWS = 5;
/** The preview of a report is drawn in a frame of its own. */
const RENDERED_MS = 500;
const QUALITIES = [80, 65, 50, 35];

/** @param {import('./developer.mjs').DeveloperOptions} options */
export async function openDeveloper({ editor, vsix, project, machine }) {
  const server = await startEditor({ editor, vsix, machine });
  const browser = await openBrowser();
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    // Settings that are there from the start: editors miss a folder that is made and filled at once.
    writeSettings(project, {});
    await page.goto(workbenchUrl(server.url, project));
    const workbench = new Workbench(page);
    await workbench.ready();
    return developer({ server, browser, page, workbench, project });
  } catch (error) {
    await browser.close();
    await server.stop();
    throw error;
  }
}

function writeSettings(project, settings) {
  mkdirSync(join(project, '.vscode'), { recursive: true });
  writeFileSync(join(project, '.vscode/settings.json'), JSON.stringify(settings));
}

function developer({ server, browser, page, workbench, project }) {
  let changed = {};
  const userSettings = () =>
    JSON.parse(readFileSync(join(server.home, 'data/User/settings.json'), 'utf8'));
  const clear = () => workbench.command('Notifications: Clear All Notifications');
  return {
    get payTo() {
      return userSettings()['svc-x402.payToAddress'];
    },
    async createWallet() {
      await workbench.openContainer('Svc x402');
      await workbench.status('x402 local :').waitFor();
      await workbench.command('Svc: Create Local Wallet');
      await workbench.rows('Wallet').filter({ hasText: 'Loaded' }).waitFor();
      await clear();
    },
    async addPayment(file, route, price) {
      await workbench.openFile(file);
      await workbench.commandAndPick('Svc: Add x402 payment to this endpoint', route);
      await workbench.answer(price);
      await workbench.describe('The weather of a city');
      await page.keyboard.press('ControlOrMeta+S');
      return eventually(() => {
        const text = readFileSync(join(project, file), 'utf8');
        assert.match(text, /paymentMiddleware\(/);
        return text;
      });
    },
    async testPayment(url) {
      await clear();
      const panel = await workbench.testPayment(url);
      await workbench.settled(panel);
      await page.waitForTimeout(RENDERED_MS);
    },
    async seeEarnings(total, settlements) {
      await workbench.openContainer('Svc x402');
      // Room for the earnings.
      const endpoints = workbench.pane('My Endpoints').locator('.pane-header');
      if ((await endpoints.getAttribute('aria-expanded')) === 'true') await endpoints.click();
      await workbench.expand('Earnings');
      await workbench.command('Svc: Refresh');
      const rows = workbench.rows('Recent Settlements').filter({ hasText: 'USDC' });
      await eventually(async () =>
        assert.ok((await rows.count()) >= Math.min(settlements, ROWS), 'too few settlements'),
      );
      return eventually(async () => {
        const told = await workbench.framed('#total');
        assert.ok(told.includes(total), `the earnings are ${told.join(' and ')}`);
        return total;
      });
    },
    rows: (view) =>
      workbench
        .rows(view)
        .evaluateAll((rows) =>
          rows.map((row) =>
            [...row.querySelectorAll('.label-name, .label-description')]
              .map(({ textContent }) => textContent)
              .join(' · '),
          ),
        ),
    async seeRow(view, text) {
      await workbench.expand(view);
      await workbench.command('Svc: Refresh');
      await workbench.rows(view).filter({ hasText: text }).first().waitFor();
    },
    async set(settings) {
      changed = { ...changed, ...settings };
      writeSettings(project, changed);
      await workbench.toast('This workspace sets svc-x402.').waitFor();
      await workbench.reviewSettings('Use');
      await clear();
    },
    async picture(file) {
      for (const quality of QUALITIES) {
        const bytes = await page.screenshot({ type: 'jpeg', quality });
        if (bytes.length > MAX_BYTES) continue;
        writeFileSync(file, bytes);
        return;
      }
      throw new Error(`${file} would be larger than ${MAX_BYTES} bytes`);
    },
    async close() {
      await browser.close();
      await server.stop();
    },
  };
}
