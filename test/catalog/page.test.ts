import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { openTestCatalog, type TestCatalog } from '../support/catalog.ts';
import { chromiumProgram, openProfile, removeProfile } from '../support/chromium.ts';
import { testKey } from '../support/payer.ts';
import { USDC } from '../support/payment.ts';

const CHROMIUM = chromiumProgram();
const HOSTILE = '"><img src=x onerror=document.title=1><script>document.title=2</script>';

describe('The catalog as a page', () => {
  let at: TestCatalog;
  before(async () => {
    at = await openTestCatalog();
    await at.settle({
      url: 'https://api.seller.dev/weather',
      resource: { serviceName: 'Sky', description: 'Weather forecast', tags: ['weather'] },
    });
    await at.settle({
      url: 'https://evil.dev/x%27%22/y',
      payTo: testKey('hostile').address,
      resource: { serviceName: HOSTILE.slice(0, 64), description: HOSTILE, tags: ['<b>bold</b>'] },
    });
    for (let n = 0; n < 25; n++)
      await at.settle({ url: `https://many.dev/${n}`, payTo: testKey('many').address });
    await at.catalog.idle();
  });
  after(() => at.close());

  it('runs its own script and style and nothing else, and loads nothing from elsewhere', async () => {
    const response = await fetch(`${at.url}/catalog`);
    const policy = response.headers.get('content-security-policy') ?? '';
    const text = await response.text();
    const digest = (tag: string) => {
      const [, inner = ''] = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(text) ?? [];
      return `'sha256-${createHash('sha256').update(inner).digest('base64')}'`;
    };
    assert.equal(policy.includes(`script-src ${digest('script')};`), true);
    assert.equal(policy.includes(`style-src ${digest('style')};`), true);
    assert.match(policy, /^default-src 'none'/);
    assert.doesNotMatch(policy, /unsafe/);
    assert.doesNotMatch(text, /(?:src|href)="(?:https?:)?\/\//);
    assert.doesNotMatch(
      text,
      /innerHTML|outerHTML|insertAdjacent|document\.write|\seval\(|\son\w+=/,
    );
  });

  it('is usable by keyboard and screen reader: every field has its label, the result is announced', async () => {
    const text = await (await fetch(`${at.url}/catalog`)).text();
    const fields = [...text.matchAll(/<(?:input|select) id="(\w+)"/g)].map(([, id]) => id);
    assert.ok(fields.length >= 4);
    for (const id of fields) assert.ok(text.includes(`<label for="${id}">`), id);
    assert.match(text, /lang="en"/);
    assert.match(text, /role="status" aria-live="polite"/);
    assert.match(text, /<a class="skip" href="#main">/);
    assert.match(text, /prefers-color-scheme: dark/);
  });

  describe('in Chromium', {
    skip: CHROMIUM === undefined ? 'no Chromium: set CHROMIUM' : false,
  }, () => {
    /** The document after the page has run. */
    async function open(path: string): Promise<string> {
      const profile = openProfile();
      const args = [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--virtual-time-budget=8000',
        `--user-data-dir=${profile}`,
        '--dump-dom',
        `${at.url}${path}`,
      ];
      try {
        const { stdout } = await promisify(execFile)(CHROMIUM ?? '', args, {
          timeout: 60_000,
          maxBuffer: 2 ** 24,
        });
        return stdout;
      } finally {
        await removeProfile(profile);
      }
    }

    it('lists entries with price, badges in words, and code to pay for them', async () => {
      const dom = await open('/catalog?order=oldest');
      assert.match(dom, /20 of 27 resources shown/);
      assert.match(dom, /<h2 id="entry-0">Sky<\/h2>/);
      assert.match(dom, /<p class="price">0\.01 USDC<\/p>/);
      assert.match(dom, /Owner not verified/);
      assert.match(dom, /await pay\("https:\/\/api\.seller\.dev\/weather"\)/);
      assert.doesNotMatch(dom, /id="more" hidden/);
    });

    it('lists the most recently paid entries first, among equally verified owners', async () => {
      const dom = await open('/catalog');
      assert.match(dom, /<h2 id="entry-0">https:\/\/many\.dev\/24<\/h2>/);
      const newest = await open('/catalog?order=newest');
      assert.match(newest, /<h2 id="entry-0">https:\/\/many\.dev\/24<\/h2>/);
    });

    it('says how many there are of each kind and asset, and links to them', async () => {
      const dom = await open('/catalog');
      assert.match(dom, /<a href="\/catalog\?type=http" class="facet">HTTP 27<\/a>/);
      assert.match(dom, /class="facet">USDC 27<\/a>/);
      const chosen = await open('/catalog?type=http');
      assert.match(chosen, /<a href="\/catalog\?" class="facet" aria-current="true">HTTP 27<\/a>/);
    });

    it('limits the price in USDC, in the list and in a search', async () => {
      const below = await open(`/catalog?maxAmount=50000&asset=${USDC}`);
      assert.match(below, /at most 0\.005 USDC/);
      assert.match(below, /Nothing found/);
      const within = await open(`/catalog?maxAmount=100000&asset=${USDC}`);
      assert.match(within, /20 of 27 resources shown/);
      const search = await open('/catalog?query=forecast&maxAmount=50000');
      assert.match(search, /Nothing found/);
      assert.doesNotMatch(search, /<h2 id="entry-0">Sky<\/h2>/);
      const affordable = await open('/catalog?query=forecast&maxAmount=100000');
      assert.match(affordable, /<h2 id="entry-0">Sky<\/h2>/);
    });

    it('says why the search found an entry, and when nothing seems to fit', async () => {
      const shownOf = async (path: string) =>
        (await open(path)).replace(/<script>[\s\S]*?<\/script>/g, '');
      const dom = await shownOf('/catalog?query=weather+forecasts');
      assert.match(
        dom,
        /Found by “weather” in its tags, description and address; “forecast” in its description\. Its meaning is close\./,
      );
      assert.doesNotMatch(dom, /Nothing matches well/);
      const off = await shownOf('/catalog?query=chess+engine+soil+iban+audit+weather');
      assert.match(off, /Nothing matches well: they share few words and little meaning/);
    });

    it('says in sentences why an entry is or is not trusted, and how to call it', async () => {
      const dom = await open('/catalog?order=oldest');
      assert.match(
        dom,
        /The URL could not be fetched, is a route with parameters, or names somebody else/,
      );
      assert.match(dom, /1 payment by 1 account settled on the ledger/);
      assert.match(dom, /Nobody has judged what you get for the money/);
      assert.match(dom, /Send a GET request; it answers 402 with the terms/);
    });

    it('hostile text stays text: it becomes no element, script or attribute', async () => {
      const dom = await open('/catalog?order=oldest');
      assert.match(dom, /<title>Catalog of paid resources<\/title>/);
      const body = dom.slice(dom.indexOf('<ol'), dom.indexOf('</ol>'));
      assert.ok(body.includes('&lt;img src=x onerror='));
      assert.doesNotMatch(body, /<img|<script|<b>|\sonerror="/);
    });

    it('searches and filters by its URL', async () => {
      const dom = await open('/catalog?query=forecast');
      assert.match(dom, /<h2 id="entry-0">Sky<\/h2>/);
      assert.match(dom, /resources? shown/);
      const none = await open('/catalog?type=mcp');
      assert.match(none, /Nothing found/);
      const wrong = await open('/catalog?maxAmount=x');
      assert.match(wrong, /could not be read: A query parameter/);
    });
  });
});
