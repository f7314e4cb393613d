import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { Script } from 'node:vm';
import { USDC_ISSUER } from '../../../common/testnetAssets.ts';
import { startLedger } from '../../src/index.ts';
import { type Scene, startScene } from './scene.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe('a page for people', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene({ close: { kind: 'manual' } });
  });
  after(() => scene[Symbol.asyncDispose]());

  const open = (path: string, accept = BROWSER): Promise<Response> =>
    fetch(`${scene.url}${path}`, { headers: { accept } });

  it('is at / for browsers, and Horizon for everybody else', async () => {
    const page = await open('/');
    assert.equal(page.status, 200);
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
    assert.match(page.headers.get('vary') ?? '', /accept/i);
    for (const accept of ['*/*', 'application/json', 'application/hal+json']) {
      const root = (await (await open('/', accept)).json()) as { network_passphrase: string };
      assert.equal(root.network_passphrase, scene.ledger.passphrase);
    }
  });

  it('and at the address of every linked transaction, ledger, account or contract', async () => {
    const text = await (await open('/')).text();
    const { sponsor, usdcContract } = scene.ledger.accounts;
    const links = [
      `/tx/${'ab'.repeat(32)}`,
      '/ledger/2',
      `/account/${sponsor.address}`,
      `/contract/${usdcContract}`,
      '/ledger/%3Cscript%3E',
    ];
    for (const link of links) assert.equal(await (await open(link, '*/*')).text(), text, link);
  });

  it('runs its own script and style and nothing else, and loads nothing from elsewhere', async () => {
    const response = await open('/');
    const policy = response.headers.get('content-security-policy') ?? '';
    const text = await response.text();
    const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(text) ?? [];
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(text) ?? [];
    const digest = (of: string): string =>
      `'sha256-${createHash('sha256').update(of).digest('base64')}'`;
    assert.ok(policy.includes(`script-src ${digest(script)};`));
    assert.ok(policy.includes(`style-src ${digest(style)};`));
    assert.match(policy, /^default-src 'none';/);
    assert.doesNotMatch(policy, /unsafe|\*|http/);
    assert.doesNotMatch(text, /(src|href)="(https?:)?\/\//);
    assert.doesNotMatch(text, / (on\w+|style)="/);
  });

  it('links from a settlement to the facilitator’s record of it', async () => {
    const named = /<meta name="facilitator" content="([^"]*)">/;
    assert.equal(named.exec(await (await open('/')).text())?.[1], '');
    let address: string | undefined;
    const ledger = await startLedger({ port: 0, facilitatorUrl: () => address });
    try {
      const shown = async (): Promise<string | undefined> =>
        named.exec(await (await fetch(`${ledger.urls?.http}/tx/${'ab'.repeat(32)}`)).text())?.[1];
      assert.equal(await shown(), '');
      address = 'http://127.0.0.1:4021/';
      assert.equal(await shown(), 'http://127.0.0.1:4021');
      for (const bad of ['javascript:alert(1)', 'no address', 'data:text/html,x']) {
        address = bad;
        assert.equal(await shown(), '');
      }
      address = 'http://127.0.0.1/"><script>alert(1)</script>';
      assert.equal(await shown(), 'http://127.0.0.1');
    } finally {
      await ledger.close();
    }
  });

  it('has a valid script, which writes everything it reads as text', async () => {
    const text = await (await open('/')).text();
    const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(text) ?? [];
    assert.doesNotThrow(() => new Script(script));
    assert.doesNotMatch(
      script,
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval|Function\(/,
    );
  });

  it('E7: finds its views and the network under a proxy’s path prefix', async () => {
    const text = await (await open('/')).text();
    const [places = ''] = /^const PLACES = .*$/m.exec(text) ?? [];
    const [parts = ''] = /^const \[, base = .*$/m.exec(text) ?? [];
    const read = (pathname: string): unknown =>
      new Script(`${places}\n${parts}\n[base, kind, raw].join(' ')`).runInNewContext({
        location: { pathname },
      });
    const hash = 'ab'.repeat(32);
    for (const prefix of ['', '/proxy/8000', '/user/tx/absproxy/8000']) {
      assert.equal(read(`${prefix}/`), `${prefix}  `);
      assert.equal(read(`${prefix}/tx/${hash}`), `${prefix} tx ${hash}`);
      assert.equal(read(`${prefix}/ledger/17`), `${prefix} ledger 17`);
    }
    // Every address in the script begins at that path.
    const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(text) ?? [];
    assert.doesNotMatch(script, /(?:fetch|EventSource)\(\s*['"`]\//);
    assert.doesNotMatch(script, /href\W{1,5}['"`]\/(?:tx|ledger|account|contract)/);
  });

  it('names the issuer of every asset except its own USDC, because anybody can issue one of that name', async () => {
    const text = await (await open('/')).text();
    const [short = ''] = /^const short = .*$/m.exec(text) ?? [];
    const [issuer = ''] = /^const USDC_ISSUER = .*$/m.exec(text) ?? [];
    const [named = ''] = /^const assetName = [\s\S]*?^};$/m.exec(text) ?? [];
    const name = (asset_code: string, asset_issuer: string): unknown =>
      new Script(
        `${short}\n${issuer}\n${named}\nassetName(${JSON.stringify({ asset_type: 'credit_alphanum4', asset_code, asset_issuer })})`,
      ).runInNewContext();
    const thief = scene.ledger.accounts.sponsor.address;
    assert.equal(name('USDC', USDC_ISSUER), 'USDC');
    assert.equal(name('USDC', thief), `USDC of ${thief.slice(0, 8)}…${thief.slice(-8)}`);
    assert.equal(name('EURC', thief), `EURC of ${thief.slice(0, 8)}…${thief.slice(-8)}`);
  });

  it('can be used by keyboard and screen reader, in light and dark', async () => {
    const text = await (await open('/')).text();
    assert.match(text, /<html lang="en">/);
    assert.match(text, /<a class="skip" href="#main">/);
    assert.match(text, /<main id="main"/);
    assert.match(text, /<label for="what">/);
    assert.match(text, /role="status" aria-live="polite"/);
    assert.match(text, /aria-pressed="false">Pause updates/);
    assert.match(text, /prefers-color-scheme: dark/);
    assert.match(text, /:focus-visible/);
  });
});
