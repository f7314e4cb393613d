import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { decodeHeaderMessage, encodeHeaderMessage } from '../../src/protocol/index.ts';
import { balancesOf, openPayer, openSeller } from '../support/accounts.ts';
import { chromiumProgram } from '../support/chromium.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { ask, openShop, type Shop, serve } from './support/shop.ts';

/** What is used of playwright-core, which is installed beside the tests of editors alone. */
interface Request {
  headers(): Record<string, string>;
  resourceType(): string;
}
interface Route {
  request(): Request;
  abort(): Promise<void>;
  continue(): Promise<void>;
  fetch(): Promise<{ headers(): Record<string, string>; status(): number }>;
  fulfill(options: object): Promise<void>;
}
interface Locator {
  click(): Promise<void>;
  waitFor(options?: object): Promise<void>;
  textContent(): Promise<string | null>;
  count(): Promise<number>;
}
interface Page {
  goto(url: string): Promise<{ status(): number } | null>;
  reload(): Promise<unknown>;
  locator(selector: string, options?: object): Locator;
  frameLocator(selector: string): { locator(selector: string): Locator };
  evaluate<T>(code: string): Promise<T>;
  route(url: string | RegExp, handler: (route: Route) => unknown): Promise<void>;
  close(): Promise<void>;
  on(event: string, listener: (what: { text(): string; url(): string }) => void): void;
}
interface Context {
  newPage(): Promise<Page>;
  close(): Promise<void>;
  addInitScript(script: string): Promise<void>;
  exposeFunction(name: string, run: (text: string) => string): Promise<void>;
}
interface Browser {
  newContext(options?: object): Promise<Context>;
  close(): Promise<void>;
}
interface Playwright {
  readonly chromium: { launch(options: object): Promise<Browser> };
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const near = createRequire(join(root, 'test', 'editor', 'package.json'));
const script = join(root, 'dist', 'pay-page.js');

function installed<T>(load: () => T): T | undefined {
  try {
    return load();
  } catch {
    return undefined;
  }
}

const playwright = installed(() => near('playwright-core') as Playwright);
const axe = installed(() => readFileSync(near.resolve('axe-core/axe.min.js'), 'utf8'));
const executablePath = chromiumProgram();
const skip =
  (executablePath === undefined && 'there is no Chromium') ||
  ((playwright === undefined || axe === undefined) &&
    'playwright-core is not installed: npm ci in test/editor does it') ||
  (!existsSync(script) && 'needs a build');

const PRICE = 500_000n;
const KEPT = "('svc-x402 sale ' + location.pathname) in localStorage";
const BOUGHT = '<h1>Bought</h1><p id=out>no script</p>';
const REACH = `<script>
let reached = '';
try { reached += parent.document.title; } catch {}
try { reached += localStorage.length; } catch {}
document.getElementById('out').textContent = 'reached:' + reached + ':' + origin;
fetch('/-/health').then(() => { document.getElementById('out').textContent = 'fetched'; }, () => {});
</script>`;

describe('A person pays in the page of a 402, in Chromium', { skip }, () => {
  let stack: LocalStack;
  let shop: Shop;
  let upstream: Awaited<ReturnType<typeof serve>>;
  let browser: Browser;
  let shared: Context;
  let payTo: TestKey;
  let served: string[] = [];
  let base = '';
  let before0 = 0n;
  let paths = 0;
  let isFailing = false;

  before(async () => {
    stack = await startLocalStack();
    payTo = await openSeller(stack);
    upstream = await serve((request, response) => {
      served.push(request.url ?? '');
      const isPage = request.url?.startsWith('/page');
      if (isFailing) response.statusCode = 500;
      response.setHeader('content-type', isPage ? 'text/html' : 'application/json');
      response.end(isPage ? `${BOUGHT}${REACH}` : JSON.stringify({ weather: ['sunny'] }));
    });
    const { urls } = stack.ledger;
    assert.ok(urls !== null);
    shop = await openShop(
      `upstream: ${upstream.url}
payTo: ${payTo.address}
serviceName: Shop
routes:
  GET /weather/{city}: { price: 0.05, description: The weather }
  GET /page/{city}: { price: 0.05, description: A page }
  GET /early/{city}: { price: 0.05, settle: before, description: Paid first }
`,
      {
        facilitatorUrl: stack.facilitator.url,
        payPage: {
          script: readFileSync(script),
          network: {
            rpcUrl: urls.rpc,
            horizonUrl: urls.horizon,
            friendbotUrl: urls.friendbot,
          },
        },
      },
    );
    base = `http://localhost:${shop.proxy.port}`;
    assert.ok(playwright !== undefined);
    browser = await playwright.chromium.launch({
      executablePath,
      headless: true,
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    });
    shared = await browser.newContext({ locale: 'en-GB' });
  });
  after(async () => {
    await browser?.close();
    await shop?.close();
    await upstream?.close();
    await stack?.close();
  });
  beforeEach(async () => {
    served = [];
    paths += 1;
    before0 = await earned();
  });

  const earned = async (): Promise<bigint> => (await balancesOf(stack, payTo.address)).usdc;
  const sold = async (): Promise<bigint> => ((await earned()) - before0) / PRICE;
  const path = (kind = 'weather'): string => `/${kind}/town${paths}`;
  const testButton = 'button.main';

  /** Opens the page of a thing that nobody bought yet; without options beside the other pages, with the wallet that they have. */
  async function open(options?: object, kind = 'weather') {
    const context = options === undefined ? shared : await browser.newContext(options);
    const problems: string[] = [];
    const page = await context.newPage();
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => {
      if (/Content Security Policy|Refused/.test(message.text())) problems.push(message.text());
    });
    const foreign: string[] = [];
    page.on('request', (request) => {
      const url = request.url();
      if (/^https?:/.test(url) && !url.startsWith(base)) foreign.push(url);
    });
    const first = await page.goto(`${base}${path(kind)}`);
    assert.equal(first?.status(), 402);
    const close = () => (options === undefined ? page.close() : context.close());
    return { context, page, problems, foreign, close };
  }

  const good = (page: Page): Promise<void> => page.locator('#status.good').waitFor();
  const shownJson = (page: Page): Promise<string | null> =>
    page.locator('#result pre').textContent();

  it('with a test wallet: sees the thing and the receipt, and again after a reload without another payment', async () => {
    const { page, problems, foreign, close } = await open();
    await page.locator(testButton).click();
    await good(page);
    assert.equal(await shownJson(page), JSON.stringify({ weather: ['sunny'] }, undefined, 2));
    const receipt = await page.locator('#receipt').textContent();
    assert.match(receipt ?? '', /[0-9a-f]{64}/);
    assert.match(receipt ?? '', /Ledger\d+/);
    assert.equal(await sold(), 1n);
    await page.reload();
    await good(page);
    assert.match((await page.locator('#status').textContent()) ?? '', /bought this on this device/);
    assert.ok(await shownJson(page));
    assert.equal(await sold(), 1n);
    assert.equal(served.length, 1);
    assert.deepEqual([problems, foreign], [[], []]);
    await close();
  });

  it('a double click pays once', async () => {
    const { page, close } = await open();
    await page.evaluate(
      `{ const b = document.querySelector('${testButton}'); b.click(); b.click(); b.click(); }`,
    );
    await good(page);
    assert.equal(await sold(), 1n);
    await close();
  });

  it('two tabs pay once, and both show what was bought', async () => {
    const { context, page, close } = await open();
    const other = await context.newPage();
    await other.goto(`${base}${path()}`);
    await Promise.all([page.locator(testButton).click(), other.locator(testButton).click()]);
    await Promise.all([good(page), good(other)]);
    assert.equal(await sold(), 1n);
    assert.equal(served.length, 1);
    await close();
  });

  it('a reload while it is paid continues with the same payment', async () => {
    const { page, close } = await open();
    let isReloading = false;
    const isSent = new Promise<void>((resolve) => {
      void page.route(/\/weather\//, async (route) => {
        const isPayment = 'payment-signature' in route.request().headers();
        if (isPayment && !isReloading) {
          isReloading = true;
          resolve();
        }
        await route.continue().catch(() => {});
      });
    });
    await page.locator(testButton).click();
    await isSent;
    await page.reload();
    await good(page);
    assert.equal(await sold(), 1n);
    await close();
  });

  it('a lost answer: the same payment is presented again', async () => {
    const { page, close } = await open();
    const sent: string[] = [];
    await page.route(/\/weather\//, async (route) => {
      const { 'payment-signature': payment } = route.request().headers();
      if (payment !== undefined) sent.push(payment);
      if (payment === undefined || sent.length > 2) return route.continue();
      // It arrives and is settled; the answer does not arrive.
      await route.fetch();
      return route.abort();
    });
    await page.locator(testButton).click();
    await page.locator('button', { hasText: 'Try again' }).waitFor();
    assert.match((await page.locator('#status').textContent()) ?? '', /never paid twice/);
    await page.locator('button', { hasText: 'Try again' }).click();
    await good(page);
    assert.equal(new Set(sent).size, 1);
    assert.equal(await sold(), 1n);
    await close();
  });

  it('offline before it is sent: nothing else is signed, and the same payment is sent later', async () => {
    const { page, close } = await open();
    const sent: string[] = [];
    let isOnline = false;
    await page.route(/\/weather\//, async (route) => {
      const { 'payment-signature': payment } = route.request().headers();
      if (payment !== undefined) sent.push(payment);
      return payment === undefined || isOnline ? route.continue() : route.abort();
    });
    await page.locator(testButton).click();
    await page.locator('button', { hasText: 'Try again' }).waitFor();
    assert.equal(await sold(), 0n);
    isOnline = true;
    await page.locator('button', { hasText: 'Try again' }).click();
    await good(page);
    assert.equal(new Set(sent).size, 1);
    assert.equal(await sold(), 1n);
    await close();
  });

  it('a payment that stays open: nothing else is signed until the ledger shows that it never pays', async () => {
    const { page, close } = await open();
    const sent: string[] = [];
    let isFailing = true;
    await page.route(/\/weather\//, async (route) => {
      const { 'payment-signature': payment } = route.request().headers();
      if (payment !== undefined) sent.push(payment);
      if (payment === undefined || !isFailing) return route.continue();
      return route.fulfill({ status: 500, body: 'failed' });
    });
    await page.locator(testButton).click();
    const retry = page.locator('button', { hasText: 'Try again' });
    await retry.waitFor();
    const status = (): Promise<string | null> => page.locator('#status').textContent();
    assert.match((await status()) ?? '', /not decided yet, and can settle until ledger \d+/);
    for (let ledgers = 0; ledgers < 25; ledgers += 1) await stack.ledger.control('svc_closeLedger');
    await retry.click();
    await page.locator('button', { hasText: 'test wallet' }).waitFor();
    assert.match((await status()) ?? '', /can never be made any more. Nothing was taken/);
    assert.equal(new Set(sent).size, 1);
    assert.equal(await sold(), 0n);
    isFailing = false;
    await page.locator(testButton).click();
    await good(page);
    assert.equal(new Set(sent).size, 2);
    assert.equal(await sold(), 1n);
    await close();
  });

  it('a seller that was paid and fails: it is owed, and delivered without another payment', async () => {
    const { page, close } = await open(undefined, 'early');
    isFailing = true;
    try {
      await page.locator(testButton).click();
      await page.locator('button', { hasText: 'Try again' }).waitFor();
    } finally {
      isFailing = false;
    }
    assert.match(
      (await page.locator('#status').textContent()) ?? '',
      /The payment was made, and the seller does not deliver now \(500\)/,
    );
    assert.match((await page.locator('#receipt').textContent()) ?? '', /[0-9a-f]{64}/);
    await page.locator('button', { hasText: 'Try again' }).click();
    await good(page);
    assert.equal(await sold(), 1n);
    await close();
  });

  it('a browser that keeps nothing pays nothing', async () => {
    const { page, close } = await open();
    await page.evaluate("Storage.prototype.setItem = () => { throw new Error('full'); }");
    await page.locator(testButton).click();
    await page.locator('#status.bad').waitFor();
    assert.match((await page.locator('#status').textContent()) ?? '', /^Nothing was paid: full/);
    assert.equal(await sold(), 0n);
    await close();
  });

  it('without a network before it signs, nothing is paid', async () => {
    const { page, close } = await open();
    await page.route(/\/weather\//, (route) => route.abort());
    await page.locator(testButton).click();
    await page.locator('#status.bad').waitFor();
    assert.match((await page.locator('#status').textContent()) ?? '', /Nothing was paid/);
    assert.equal(await page.evaluate(KEPT), false);
    await close();
  });

  const swaps: Readonly<Record<string, (terms: Record<string, unknown>) => void>> = {
    'a higher price': (terms) => Object.assign(terms, { amount: '500001' }),
    'a lower price': (terms) => Object.assign(terms, { amount: '499999' }),
    'another recipient': (terms) =>
      Object.assign(terms, { payTo: stack.ledger.accounts.sponsor.address }),
    'another token': (terms) =>
      Object.assign(terms, {
        asset: 'CDLZFC3SYJYDZT7K67VZ75HPJVIEUVNIXF47ZG2FB2RMQQVU2HHGCYSC',
      }),
    'another network': (terms) => Object.assign(terms, { network: 'stellar:pubnet' }),
  };
  for (const [what, swap] of Object.entries(swaps)) {
    it(`terms that change after the page was shown are not signed: ${what}`, async () => {
      const { page, close } = await open();
      const sent: string[] = [];
      await page.route(/\/weather\//, async (route) => {
        const { 'payment-signature': payment } = route.request().headers();
        if (payment !== undefined) sent.push(payment);
        const response = await route.fetch();
        const headers = response.headers();
        const message = decodeHeaderMessage(headers['payment-required'] ?? '') as {
          accepts: Record<string, unknown>[];
        };
        for (const terms of message.accepts) swap(terms);
        headers['payment-required'] = encodeHeaderMessage(message);
        delete headers['www-authenticate'];
        return route.fulfill({ status: response.status(), headers, body: '' });
      });
      await page.locator(testButton).click();
      await page.locator('#status.bad').waitFor();
      assert.match(
        (await page.locator('#status').textContent()) ?? '',
        /Nothing was (signed|paid)/,
      );
      assert.deepEqual(sent, []);
      assert.equal(await page.evaluate(KEPT), false);
      await close();
    });
  }

  it('with a wallet of SEP-43, which shows what it signs', async () => {
    const payer = await openPayer(stack);
    const context = await browser.newContext();
    const signed: Buffer[] = [];
    await context.exposeFunction('signPreimage', (preimage) => {
      const bytes = Buffer.from(preimage, 'base64');
      signed.push(bytes);
      return Buffer.from(payer.sign(createHash('sha256').update(bytes).digest())).toString(
        'base64',
      );
    });
    await context.addInitScript(`globalThis.stellar = {
      getAddress: async () => ({ address: '${payer.address}' }),
      getNetwork: async () => ({ networkPassphrase: 'Test SDF Network ; September 2015' }),
      signAuthEntry: async (preimage) => ({ signedAuthEntry: await signPreimage(preimage) }),
    };`);
    const page = await context.newPage();
    await page.goto(`${base}${path()}`);
    await page.locator('button', { hasText: 'wallet extension' }).click();
    await good(page);
    assert.equal(signed.length, 1);
    assert.match((await page.locator('#receipt').textContent()) ?? '', new RegExp(payer.address));
    assert.equal(await sold(), 1n);
    await context.close();
  });

  it('a wallet that refuses, is elsewhere or is not there: nothing is paid', async () => {
    for (const [wallet, text] of [
      ['undefined', /No wallet extension/],
      [
        `{ getAddress: async () => ({ address: 'G' }), signAuthEntry() {}, getNetwork: async () => ({ networkPassphrase: 'Public Global Stellar Network ; September 2015' }) }`,
        /another network/,
      ],
      [
        `{ getAddress: async () => ({ error: { message: 'refused by the person' } }), signAuthEntry() {} }`,
        /Nothing was paid: refused by the person/,
      ],
    ] as const) {
      const context = await browser.newContext();
      await context.addInitScript(`globalThis.stellar = ${wallet};`);
      const page = await context.newPage();
      await page.goto(`${base}${path()}`);
      await page.locator('button', { hasText: 'wallet extension' }).click();
      await page.locator('#status.bad').waitFor();
      assert.match((await page.locator('#status').textContent()) ?? '', text);
      await context.close();
    }
    assert.equal(await sold(), 0n);
  });

  it('a bought page is shown with its scripts, and reaches neither this origin nor its keys', async () => {
    const { page, close } = await open(undefined, 'page');
    await page.locator(testButton).click();
    await good(page);
    const out = page.frameLocator('#result iframe').locator('#out');
    await page.frameLocator('#result iframe').locator('h1').waitFor();
    for (
      let tries = 0;
      tries < 20 && !/reached/.test((await out.textContent()) ?? '');
      tries += 1
    ) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.equal(await out.textContent(), 'reached::null');
    await close();
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`axe finds nothing, ${colorScheme}, on a phone and a desktop, in both languages, before and after paying`, async () => {
      for (const [locale, viewport] of [
        ['en-GB', { width: 1280, height: 800 }],
        ['de-DE', { width: 360, height: 640 }],
      ] as const) {
        const { page, close } = await open({ colorScheme, locale, viewport });
        await page.locator(testButton).waitFor();
        assert.deepEqual(await axeFindings(page), []);
        await page.locator(testButton).click();
        await good(page);
        assert.deepEqual(await axeFindings(page), []);
        assert.equal(
          await page.evaluate('document.documentElement.scrollWidth <= innerWidth'),
          true,
          'it fits',
        );
        await close();
        paths += 1;
      }
    });
  }

  /** Runs axe through the debugger: the policy of the page lets no script in. */
  async function axeFindings(page: Page): Promise<readonly string[]> {
    await page.evaluate(`${axe}; undefined`);
    return page.evaluate(`axe.run(document, { resultTypes: ['violations'], iframes: false }).then(
      ({ violations, passes }) => passes.length < 5 ? ['axe ran only ' + passes.length + ' rules'] :
        violations.flatMap(({ id, nodes }) => nodes.map(({ target, any }) =>
          id + ': ' + target.join(' ') + ' ' + (any[0]?.message ?? ''))))`);
  }

  it('in a browser that needs HTTPS elsewhere, the page says so and offers the command', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.route(/^http:\/\/shop\.example\//, async (route) => {
      const answer = await ask(shop.proxy.url, path(), {
        headers: { accept: 'text/html', host: 'shop.example' },
      });
      const isScript = route.request().resourceType() === 'script';
      return isScript
        ? route.fulfill({ body: readFileSync(script), contentType: 'text/javascript' })
        : route.fulfill({
            status: 402,
            headers: Object.fromEntries(
              Object.entries(answer.headers).filter(([, value]) => typeof value === 'string'),
            ),
            body: answer.body,
          });
    });
    await page.goto(`http://shop.example${path()}`);
    assert.match((await page.locator('#status').textContent()) ?? '', /HTTPS or localhost/);
    assert.equal(await page.locator('#ways button').count(), 0);
    assert.match(
      (await page.locator('pre code').textContent()) ?? '',
      /^svc-x402 pay http:\/\/shop\.example\//,
    );
    await context.close();
  });

  it('what the page needs is at most 60 kB compressed', async () => {
    const page = await ask(shop.proxy.url, path(), { headers: { accept: 'text/html' } });
    const paying = await ask(shop.proxy.url, '/-/page/pay.js', {
      headers: { 'accept-encoding': 'gzip, br' },
    });
    assert.equal(paying.headers['content-encoding'], 'br');
    const bytes = page.body.length + paying.body.length;
    assert.ok(bytes <= 60_000, `${bytes} bytes`);
  });
});
