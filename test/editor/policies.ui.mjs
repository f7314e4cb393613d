// Spending policies from the editor, with a passkey: an account, a limit, a payment under it, and its end.
// usage: node --test test/editor/policies.ui.mjs; EDITOR_DIR: folder with code-server; VSIX: the packed extension.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Keypair } from '@stellar/stellar-sdk';
import { install, paidApi } from '../../scripts/prepare.mjs';
import { fundContract, openAccount } from './lib/accounts.mjs';
import {
  eventually,
  openBrowser,
  PATIENCE_MS,
  startEditor,
  workbenchUrl,
} from './lib/editorServer.mjs';
import { PasskeyBrowser } from './lib/passkeyBrowser.mjs';
import { Workbench } from './lib/workbench.mjs';
import { WorkspaceSettings } from './lib/workspaceSettings.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const editor = process.env.EDITOR_DIR;
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const vsix = process.env.VSIX ?? join(root, 'build', `svc-x402-${version}.vsix`);
const pictures = process.env.PICTURES ?? join(root, 'build', 'pictures');
/** More than several waits of a test, each of which fails first and names what it waited for. */
const slow = { timeout: 900_000 };
const view = 'Spending Policies';

mkdirSync(pictures, { recursive: true });

describe('spending policies in a real editor', { concurrency: false }, () => {
  let server;
  let browser;
  let page;
  let workbench;
  let person;
  let seller;
  let sellerSaid = '';
  let pay;
  let payBy;
  let folder;
  let settings;
  const agent = Keypair.random();
  const limited = Keypair.random();
  const other = Keypair.random();
  const picture = (name) => page.screenshot({ path: join(pictures, `policies-${name}.png`) });
  const service = () => JSON.parse(readFileSync(join(server.shared, 'local/service.json'), 'utf8'));
  const account = () =>
    JSON.parse(readFileSync(join(server.home, 'data/User/settings.json'), 'utf8'))[
      'svc-x402.smartAccount'
    ];
  const clearToasts = () => workbench.command('Notifications: Clear All Notifications');
  const row = (text) => workbench.rows(view).filter({ hasText: text }).first();
  const shows = async (text) => {
    await workbench.command('Svc: Refresh');
    await row(text).waitFor();
  };

  before(async () => {
    await install(paidApi);
    server = await startEditor({ editor, vsix, settings: { 'svc-x402.mcp': 'off' } });
    browser = await openBrowser();
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
    page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    folder = mkdtempSync(join(tmpdir(), 'svc-workspace-'));
    settings = new WorkspaceSettings(folder);
    await page.goto(workbenchUrl(server.url, folder));
    workbench = new Workbench(page);
    person = new PasskeyBrowser(context);
    await workbench.ready();
  }, slow);

  after(async () => {
    if (page) await picture('99-last');
    seller?.kill('SIGKILL');
    await browser?.close();
    await server?.stop();
  });

  it('without a smart account the view says what to do', slow, async () => {
    await workbench.openContainer('Svc x402');
    for (const title of ['Wallet', 'My Endpoints', 'Recent Settlements']) {
      await workbench.pane(title).locator('.pane-header').click();
    }
    await workbench.expand(view);
    await workbench.pane(view).getByText('No smart account is set').waitFor();
    await workbench.status('x402 local :').waitFor();
    await picture('01-none');
  });

  it('a smart account is created with a passkey, and set', slow, async () => {
    const prompt = await person.opened(() => workbench.command('Svc: Create Smart Account'));
    await prompt.page.screenshot({ path: join(pictures, 'policies-02-passkey.png') });
    assert.match(await prompt.accept(), /in transaction [0-9a-f]{64}/);
    // The token was used: the same address gives nothing more.
    await prompt.page.reload();
    await prompt.page.locator('#status.bad').filter({ hasText: 'was answered' }).waitFor();
    await prompt.close();
    await eventually(() => assert.match(account() ?? '', /^C[A-Z2-7]{55}$/));
    await workbench.pane(view).getByText('No policy is attached').waitFor();
    await clearToasts();
    await picture('03-account');
  });

  it(
    'a limit is created: the cap is checked as it is typed, its limits and its cost are shown',
    slow,
    async () => {
      await fundContract(service(), account(), '5');
      await workbench.command('Svc: Create Spending Policy');
      await workbench.pick('Verified recipients only');
      await workbench.asked('Attestation registry');
      await workbench.quickInput.fill('CABC');
      await page.locator('.quick-input-message').filter({ hasText: '55 characters' }).waitFor();
      await page.keyboard.press('Escape');
      await workbench.command('Svc: Create Spending Policy');
      await workbench.pick('Spending limit');
      await workbench.pick('USDC');
      await workbench.asked('Maximum amount');
      await workbench.quickInput.fill('0');
      await page.locator('.quick-input-message').filter({ hasText: 'greater than zero' }).waitFor();
      await workbench.answer('0.025');
      await workbench.pick('In 24 Hours');
      await workbench.asked('Maximum number');
      await workbench.answer('');
      const dialog = page.locator('.monaco-dialog-box');
      await dialog.waitFor();
      const told = await dialog.textContent();
      assert.match(told, /At most 0\.025 USDC in 24 hours/);
      assert.match(told, /up to 0\.05 USDC can be spent/);
      assert.match(told, /Deployment: up to 0\.\d+ XLM/);
      await picture('04-summary');
      await dialog.getByText('Deploy Only', { exact: true }).click();
      await row('deployed, not attached').waitFor();
      await picture('05-deployed');
    },
  );

  it(
    'it is attached with the passkey; cancelled in the browser, nothing changes',
    slow,
    async () => {
      const begin = async () => {
        await workbench.command('Svc: Attach Spending Policy');
        await workbench.pick('At most 0.025');
      };
      const refused = await person.opened(begin);
      // One request at a time, also over windows.
      await begin();
      await workbench.toast('Another passkey request is open').waitFor();
      await refused.decline();
      await refused.page.locator('#status').filter({ hasText: 'Cancelled' }).waitFor();
      await refused.close();
      await shows('deployed, not attached');
      const prompt = await person.opened(begin);
      const words = await prompt.text();
      for (const said of [account(), 'USDC (C', '0.025 USDC in 24 hours', 'add_signer']) {
        assert.ok(words.includes(said), `${said} is missing in: ${words}`);
      }
      await prompt.page.screenshot({ path: join(pictures, 'policies-06-attach.png') });
      await prompt.accept();
      await prompt.close();
      await shows('0.025 USDC left');
      await clearToasts();
      await picture('07-attached');
    },
  );

  it('an agent’s key is added under it', slow, async () => {
    const prompt = await person.opened(async () => {
      await workbench.command('Svc: Add Key Under Spending Policies');
      await workbench.pick('Limit 0.025 USDC');
      await workbench.asked('Public key of the agent');
      await workbench.quickInput.fill('GABC');
      await page.locator('.quick-input-message').filter({ hasText: '55 characters' }).waitFor();
      await workbench.answer(agent.publicKey());
    });
    assert.ok((await prompt.text()).includes(agent.publicKey()));
    await prompt.accept();
    await prompt.close();
    await workbench.toast('can now act').waitFor();
    await clearToasts();
  });

  it('the agent’s payments reduce the budget; over the cap they are refused', slow, async () => {
    const sdk = await import(join(root, 'dist', 'sdk.node.mjs'));
    const payTo = (await openAccount(service())).publicKey();
    seller = spawn(process.execPath, ['seller.mjs', '--json'], {
      cwd: paidApi,
      env: {
        PATH: process.env.PATH,
        FACILITATOR_URL: service().facilitatorUrl,
        PAY_TO: payTo,
        PORT: '0',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [seller.stdout, seller.stderr]) {
      stream.on('data', (chunk) => {
        sellerSaid += chunk;
      });
    }
    const url = await eventually(
      () => /"url":"([^"]+)"/.exec(sellerSaid)?.[1] ?? assert.fail(sellerSaid),
    );
    /** Pays once, signed by all of these keys. */
    payBy = (...keys) => {
      const sign = async ({ hash }) =>
        sdk.accountSignature(
          keys.map((key) => ({
            kind: 'ed25519',
            publicKey: key.rawPublicKey(),
            signature: key.sign(hash),
          })),
        );
      const signer = { address: account(), sign };
      return sdk.createX402Fetch({ signer, rpcUrl: service().network.rpcUrl })(url);
    };
    const buy = sdk.createX402Fetch({
      signer: sdk.agentSigner(account(), agent.rawPublicKey(), (hash) => agent.sign(hash)),
      rpcUrl: service().network.rpcUrl,
    });
    pay = () => buy(url);
    assert.equal((await pay()).status, 200);
    await shows('0.015 USDC left · resets in 23 h');
    await workbench.rows(view).filter({ hasText: '0.015 USDC left' }).click();
    await page.keyboard.press('ArrowRight');
    await workbench.rows(view).filter({ hasText: 'At the gateway' }).waitFor();
    await picture('08-paid');
    await page.keyboard.press('ArrowLeft');
    assert.equal((await pay()).status, 200);
    await shows('0.005 USDC left');
    await assert.rejects(pay(), { reason: 'policy_refused' });
  });

  it(
    'after it is revoked with the passkey, it is gone from the view, and the key can do nothing',
    slow,
    async () => {
      const prompt = await person.opened(async () => {
        await workbench.command('Svc: Revoke Spending Policy');
        await workbench.pick('Limit 0.025 USDC');
      });
      await prompt.accept();
      await prompt.close();
      await workbench.command('Svc: Refresh');
      await workbench.pane(view).getByText('No policy is attached').waitFor();
      await assert.rejects(pay(), { reason: 'policy_refused' });
      await clearToasts();
      await picture('09-revoked');
    },
  );

  const dialog = (words) => page.locator('.monaco-dialog-box').filter({ hasText: words });
  /** Presses a button of the dialog that says this; another may open at once. */
  const press = (words, button) => dialog(words).getByText(button, { exact: true }).click();
  const refused = (...keys) => assert.rejects(payBy(...keys), { reason: 'policy_refused' });
  const wrong = (words) =>
    page.locator('.quick-input-message').filter({ hasText: words }).waitFor();

  it(
    'a key with an allow-list calls only listed contracts, until it is revoked',
    slow,
    async () => {
      await workbench.command('Svc: Create Spending Policy');
      await workbench.pick('Allowed contracts');
      await workbench.asked('(1/2)');
      await workbench.quickInput.fill('GABC');
      await wrong('55 characters');
      await workbench.answer(limited.publicKey());
      await workbench.asked('(2/2)');
      await workbench.pick('XLM');
      await page.keyboard.press('Enter');
      const summary = dialog('calls only listed contracts');
      await summary.waitFor();
      const told = await summary.textContent();
      assert.match(told, /to contracts other than XLM/);
      assert.match(told, /It restricts contracts, not recipients/);
      assert.match(told, /Nothing is deployed/);
      await picture('10-allow-list');
      const prompt = await person.opened(() => press('only listed contracts', 'Attach'));
      const words = await prompt.text();
      for (const said of [limited.publicKey(), 'XLM (C', 'add_signer', 'restricts contracts']) {
        assert.ok(words.includes(said), `${said} is missing in: ${words}`);
      }
      await prompt.accept();
      await prompt.close();
      await workbench.toast('can now call the listed contracts').waitFor();
      await shows('only XLM');
      await refused(limited);
      await clearToasts();
      await picture('11-allowed');
      const removal = await person.opened(async () => {
        await workbench.command('Svc: Revoke Spending Policy');
        await workbench.pick('only XLM');
      });
      await removal.accept();
      await removal.close();
      await workbench.toast('Removed the key').waitFor();
      await workbench.command('Svc: Refresh');
      await workbench.pane(view).getByText('No policy is attached').waitFor();
      await clearToasts();
    },
  );

  it('if two must sign, one signature is refused and both are accepted', slow, async () => {
    await workbench.command('Svc: Create Spending Policy');
    await workbench.pick('Several signatures');
    await workbench.asked('(1/3)');
    await workbench.answer(limited.publicKey());
    await workbench.asked('(2/3)');
    await workbench.pick('USDC');
    await page.keyboard.press('Enter');
    await workbench.asked('(3/3)');
    await workbench.quickInput.fill(limited.publicKey());
    await wrong('the limited key itself');
    // Back, what was picked is still picked.
    await workbench.quick.locator('.codicon-quick-input-back').click();
    await workbench.asked('(2/3)');
    await page.keyboard.press('Enter');
    await workbench.asked('(3/3)');
    await workbench.answer(other.publicKey());
    await press('acts only together with 1 other key', 'Attach');
    await dialog('is not in the account').waitFor();
    await picture('12-co-signer');
    const first = await person.opened(() => press('is not in the account', 'Add the Key'));
    assert.ok((await first.text()).includes(other.publicKey()));
    const second = await person.opened(() => first.accept());
    await first.close();
    const words = await second.text();
    for (const said of ['Must also sign', limited.publicKey(), other.publicKey()]) {
      assert.ok(words.includes(said), `${said} is missing in: ${words}`);
    }
    await second.page.screenshot({ path: join(pictures, 'policies-13-several.png') });
    await second.accept();
    await second.close();
    await workbench.toast('can now act together with the other key').waitFor();
    await shows('only USDC, with 1 other key');
    await refused(limited);
    await refused(other);
    assert.equal((await payBy(limited, other)).status, 200);
    await clearToasts();
    await row('with 1 other key').click();
    await page.keyboard.press('ArrowRight');
    await workbench.rows(view).filter({ hasText: 'can do nothing alone' }).waitFor();
    await picture('14-several');
    await page.keyboard.press('ArrowLeft');
    const removal = await person.opened(async () => {
      await workbench.command('Svc: Revoke Spending Policy');
      await workbench.pick('with 1 other key');
    });
    await removal.accept();
    await removal.close();
    const toast = workbench.toast('The other key remains');
    const rest = await person.opened(() => toast.getByText('Remove the Other Key').click());
    await rest.accept();
    await rest.close();
    await refused(limited, other);
    await workbench.command('Svc: Refresh');
    await workbench.pane(view).getByText('No policy is attached').waitFor();
    await clearToasts();
  });

  it('with the service down each command starts it, and the view says so', slow, async () => {
    await workbench.command('Svc: Stop local service');
    await workbench.pane(view).getByText("isn't running").waitFor();
    await workbench.command('Svc: Attach Spending Policy');
    // What was revoked can be attached again.
    await workbench.quickRow('At most 0.025 USDC').first().waitFor();
    await page.keyboard.press('Escape');
    await workbench.status('x402 local :').waitFor();
    await workbench.pane(view).getByText('No policy is attached').waitFor();
  });

  it('problems are shown, each with its fix', slow, async () => {
    const usdc = 'CBIELTK6YBZJU5UP2WWQEUCYKLPU6AUNZ2BQ4WWFEIE3USCIHMXQDAMA';
    const nothing = 'CDLZFC3SYJYDZT7K67VZ75HPJVIEUVNIXF47ZG2FB2RMQQVU2HHGCYSD';
    await settings.changeAndSee({ 'svc-x402.smartAccount': usdc }, (wait) =>
      workbench.toast('This workspace sets svc-x402.smartAccount').waitFor(wait),
    );
    await workbench.reviewSettings('Use');
    await row('This contract is not a smart account: it is an asset contract').waitFor();
    await row('Create a smart account').waitFor();
    await settings.changeAndSee({ 'svc-x402.smartAccount': nothing }, (wait) =>
      row('not a contract address (C…) with a valid checksum').waitFor(wait),
    );
    await row('Set the smart account').waitFor();
    settings.replace({});
    await settings.changeAndSee({ 'svc-x402.policyGatewayUrl': 'http://127.0.0.1:1' }, (wait) =>
      workbench.toast('This workspace sets svc-x402.policyGatewayUrl').waitFor(wait),
    );
    await workbench.reviewSettings('Use');
    await row('The policy gateway 127.0.0.1:1 cannot be reached').waitFor();
    await row('Open settings').waitFor();
    await picture('15-gateway-down');
    settings.replace({});
    await workbench.pane(view).getByText('No policy is attached').waitFor();
  });
});
