import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SELLER } from '../../test/support/payment.ts';
import { atomicAmount, USDC_CONTRACT, visibleText } from '../protocol/index.ts';
import {
  memoryBook,
  mppProtocol,
  type Offer,
  type PageLook,
  type SellerAnswer,
  type Served,
  sell,
  x402Protocol,
} from './index.ts';
import { pageLanguage, prefersHtml } from './page.ts';

const CHROMIUM =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7';
const NONCE = 'bm9uY2Ugb2YgdGhlIHRlc3Q=';

interface Ask {
  readonly offer?: Partial<Offer>;
  readonly look?: PageLook | undefined;
  readonly base?: string;
  readonly method?: string;
  readonly target?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a seller answers to a request without a payment. */
async function ask({ method = 'GET', target = '/report', headers = {}, ...more }: Ask): Promise<{
  readonly answer: SellerAnswer;
  readonly header: (name: string) => string | undefined;
}> {
  const amount = atomicAmount(500_000n);
  assert.ok(amount !== undefined);
  const offer: Offer = {
    ...{ network: 'stellar:testnet', asset: USDC_CONTRACT, amount, payTo: SELLER.address },
    ...{ maxTimeoutSeconds: 60, extra: { areFeesSponsored: true }, extensions: {} },
    resource: { url: `http://seller.example${target}`, description: 'A report' },
    settle: 'after',
    page: 'look' in more ? more.look && { ...more.look, nonce: NONCE } : pageOf(more.base),
    ...more.offer,
  };
  const protocols = [x402Protocol, mppProtocol({ secret: 'of the test: long', now: () => 0 })];
  const sold = await sell(
    offer,
    { method, target, bodyDigest: '', header: (name) => headers[name.toLowerCase()] },
    {
      ...{ protocols, book: memoryBook<Served>({ now: () => 0 }) },
      ask: () => Promise.reject(new Error('nobody asks a facilitator')),
      serve: () => Promise.reject(new Error('nothing is served')),
      pause: () => Promise.resolve(),
      onError: (error) => assert.fail(String(error)),
    },
  );
  assert.ok(sold.kind === 'answer');
  const { answer } = sold;
  return {
    answer,
    header: (name) => answer.headers.find(([each]) => each.toLowerCase() === name)?.[1],
  };
}

function pageOf(base: string | undefined): Offer['page'] {
  return { nonce: NONCE, ...(base === undefined ? {} : { base }) };
}

describe('Who gets a page for a price, and who JSON', () => {
  const cases: readonly (readonly [who: string, accept: string | undefined, page: boolean])[] = [
    ['Chromium', CHROMIUM, true],
    ['Firefox', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
    ['Safari', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
    ['w3m', 'text/html, text/*;q=0.5, image/*', true],
    ['HTML alone', 'text/html', true],
    ['HTML above JSON', 'application/json;q=0.5, text/html;q=0.6', true],
    ['in capitals, with a charset', 'TEXT/HTML; charset=utf-8 ; Q=1.000, */*;q=0', true],
    ['no header', undefined, false],
    ['an empty header', '', false],
    ['curl, Python, Go', '*/*', false],
    ['axios', 'application/json, text/plain, */*', false],
    ['JSON', 'application/json', false],
    ['MPP', 'application/problem+json, text/html;q=0.9', false],
    ['both alike', 'text/html, application/json', false],
    ['JSON above HTML', 'text/html;q=0.8, application/json', false],
    ['JSON by a range', 'text/html;q=0.8, application/*;q=0.9', false],
    ['an agent that reads pages', 'text/markdown, text/html, */*', false],
    ['a range of texts', 'text/*', false],
    ['HTML that is not wanted', 'text/html;q=0, */*;q=0', false],
    ['HTML at the least weight beside nothing', 'text/html;q=0.001', true],
    ['Java, with malformed ranges', 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', false],
    ['a malformed weight', 'text/html;q=2, */*;q=0.1', false],
    ['a negative weight', 'text/html, */*;q=-1', false],
    ['four decimals', 'text/html;q=0.9999', false],
    ['another HTML', 'text/html;level=1, */*;q=0.5', false],
    ['a quoted comma', 'text/html;a="x, text/html", */*;q=0.1', false],
    ['an unclosed quote', 'text/html;a="x', false],
    ['a name that only begins alike', 'text/html5, */*;q=0.1', false],
    ['a header longer than any browser’s', `text/html,${'a/b,'.repeat(1_000)}*/*;q=0.1`, false],
  ];
  for (const [who, accept, page] of cases) {
    it(`${who}: ${page ? 'a page' : 'JSON'}`, async () => {
      assert.equal(prefersHtml(accept), page);
      const headers = accept === undefined ? {} : { accept };
      const { answer, header } = await ask({ headers });
      assert.equal(answer.status, 402);
      const type = header('content-type') ?? '';
      assert.equal(type.startsWith('text/html'), page, type);
    });
  }

  it('JSON is the same to the byte with and without a page for others', async () => {
    for (const accept of [undefined, '*/*', 'application/json, text/html;q=0.9', 'text/*']) {
      const headers = accept === undefined ? {} : { accept };
      assert.deepEqual(
        (await ask({ headers, base: '/-/page' })).answer,
        (await ask({ headers, look: undefined })).answer,
      );
    }
  });

  it('a page has the terms of both protocols, and differs by what it was asked with', async () => {
    const page = await ask({ headers: { accept: CHROMIUM } });
    const json = await ask({});
    for (const name of ['payment-required', 'www-authenticate']) {
      assert.equal(page.header(name), json.header(name));
      assert.ok(page.header(name));
    }
    assert.match(page.header('vary') ?? '', /Accept, Accept-Language$/);
    assert.equal(page.header('cache-control'), 'no-store');
  });

  it('no page for another method, for a refused payment, or if it is off', async () => {
    const accept = CHROMIUM;
    for (const asked of [
      { method: 'POST', headers: { accept } },
      { headers: { accept, 'payment-signature': 'nonsense' } },
      { headers: { accept }, look: undefined },
    ]) {
      assert.match((await ask(asked)).header('content-type') ?? '', /json$/);
    }
  });
});

describe('The page for people', () => {
  const people = { accept: CHROMIUM };

  it('says what it is, what it costs, who is paid, and how to pay without JavaScript', async () => {
    const { answer } = await ask({ headers: people });
    for (const text of [
      'A report',
      '0.05 USDC',
      'Test money on Stellar testnet',
      SELLER.address,
      'svc-x402 pay http://seller.example/report',
    ]) {
      assert.ok(answer.body.includes(text), text);
    }
    assert.doesNotMatch(answer.body, /<script/);
  });

  it('is in German for those who prefer it', async () => {
    const { answer } = await ask({
      headers: { ...people, 'accept-language': 'de-CH,de;q=0.9,en;q=0.8' },
    });
    assert.match(answer.body, /<html lang="de">/);
    assert.match(answer.body, /Testgeld im Stellar-Testnetz/);
  });

  it('is in English unless German is preferred', () => {
    const cases = [
      ['de', 'de'],
      ['en-GB,de;q=0.9', 'en'],
      ['fr,de;q=0.5', 'de'],
      ['den', 'en'],
      ['de;q=0', 'en'],
      ['de;q=x', 'en'],
      ['*', 'en'],
      [undefined, 'en'],
    ] as const;
    for (const [accept, language] of cases) assert.equal(pageLanguage(accept), language, accept);
  });

  it('has the seller’s words and colour, on which words can be read', async () => {
    for (const [accent, ink] of [
      ['#ffd500', '#000'],
      ['#4b0082', '#fff'],
    ] as const) {
      const look = { title: 'My shop', note: 'Thank you', accent };
      const { answer } = await ask({ headers: people, look });
      assert.match(answer.body, /<h1><bdi>My shop<\/bdi><\/h1>\n<p><bdi>Thank you<\/bdi><\/p>/);
      assert.ok(answer.body.includes(`--accent:${accent};--on:${ink}`));
    }
  });

  it('runs only what has its nonce, loads nothing from others, and is never framed', async () => {
    const { answer, header } = await ask({ headers: people, base: '/-/page' });
    const policy = header('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'; script-src 'nonce-[^ ;]+'; style-src 'nonce-/);
    assert.match(policy, /frame-ancestors 'none'$/);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
    assert.equal(header('x-frame-options'), 'DENY');
    const scripts = answer.body.match(/<script[^>]*>[^<]*/g);
    assert.deepEqual(scripts, [`<script nonce="${NONCE}" src="/-/page/pay.js" defer>`]);
    assert.doesNotMatch(answer.body, /\son\w+=|javascript:/i);
  });

  it('names a token that is not USDC by its contract', async () => {
    const asset = 'CDLZFC3SYJYDZT7K67VZ75HPJVIEUVNIXF47ZG2FB2RMQQVU2HHGCYSC';
    const { answer } = await ask({ headers: people, offer: { asset } });
    assert.doesNotMatch(answer.body, />0\.05 USDC</);
    assert.match(answer.body, new RegExp(`This is not USDC: units of the token <code>${asset}`));
  });
});

describe('Words of a seller or a buyer are text on the page', () => {
  const attacks = [
    '<script>alert(1)</script>',
    '</title><script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "'><svg onload=alert(1)>",
    '</bdi></h1><iframe src=//evil.example>',
    '" autofocus onfocus=alert(1) x="',
    "' onmouseover='alert(1)",
    '<a href="javascript:alert(1)">pay</a>',
    '<meta http-equiv=refresh content="0;url=//evil.example">',
    '<base href=//evil.example>',
    '<form action=//evil.example><button>Pay</button></form>',
    '<style>*{display:none}</style>',
    '--></style><script>alert(1)</script><!--',
    '&lt;script&gt;alert(1)&lt;/script&gt;',
    '&#60;script&#62;alert(1)&#60;/script&#62;',
    '<scr\u0000ipt>alert(1)</script>',
    '<\u200bscript>alert(1)</script>',
    '\u202e0.00 USDC\u202c',
    '<div data-pay-to="GEVIL" id="ways">',
    `<script nonce="${NONCE}">alert(1)</script>`,
    '{{constructor.constructor("alert(1)")()}}',
    '\u{e003c}script\u{e003e}',
    '<plaintext>',
    '<!--',
  ];
  type Place = (text: string) => Ask;
  const places: Readonly<Record<string, Place>> = {
    title: (title) => ({ look: { title } }),
    note: (note) => ({ look: { note } }),
    accent: (accent) => ({ look: { accent } }),
    description: (description) => ({
      offer: { resource: { url: 'http://seller.example/', description } },
    }),
    serviceName: (serviceName) => ({
      offer: { resource: { url: 'http://seller.example/', serviceName } },
    }),
    url: (text) => ({ offer: { resource: { url: `http://seller.example/${text}` } } }),
    target: (target) => ({ target }),
    network: (network) => ({ offer: { network } }),
    asset: (asset) => ({ offer: { asset } }),
    payTo: (text) => ({ offer: { payTo: text as typeof SELLER.address } }),
  };
  /** What the page consists of, with every text and value left out. */
  const bones = (body: string): string => body.replace(/"[^"]*"/g, '""').replace(/>[^<]+/g, '>');

  for (const [place, put] of Object.entries(places)) {
    it(`${attacks.length} attacks in ${place}`, async () => {
      for (const attack of attacks) {
        const asked = { base: '/-/page', headers: { accept: CHROMIUM } };
        const plain = await ask({ ...asked, ...put('harmless') });
        const { answer, header } = await ask({ ...asked, ...put(attack) });
        assert.equal(bones(answer.body), bones(plain.answer.body), attack);
        assert.equal(visibleText(answer.body), answer.body);
        for (const name of ['content-security-policy', 'x-frame-options', 'content-type']) {
          assert.equal(header(name), plain.header(name));
        }
      }
    });
  }
});
