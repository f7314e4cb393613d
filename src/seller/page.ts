import { formatDecimalAmount, USDC_CONTRACT, visibleText } from '../protocol/index.ts';
import type { Offer, PaymentPage, SellerAnswer, SellerRequest } from './offer.ts';

/** A media range or a language with its weight. */
interface Weighed {
  readonly name: string;
  readonly weight: number;
}

const TOKEN = "[\\w!#$%&'*+.^`|~-]+";
const PARAMETER = new RegExp(
  `^${TOKEN}[ \\t]*=[ \\t]*(?:${TOKEN}|"(?:[^"\\\\]|\\\\.)*")$|^${TOKEN}$`,
);
const WEIGHT = /^q[ \t]*=[ \t]*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;
/** More than browsers send. A longer header is not read. */
const MAX_ACCEPT = 2_000;

/** Reads a list with weights (RFC 9110, section 12.4.2); `undefined` if any part of it is malformed. */
function weighed(header: string, name: RegExp): readonly Weighed[] | undefined {
  if (header.length > MAX_ACCEPT) return undefined;
  const read: Weighed[] = [];
  for (const part of header.match(/(?:[^",]|"(?:[^"\\]|\\.)*")+/g) ?? []) {
    if (part.trim() === '') continue;
    const [first = '', ...parameters] = (part.match(/(?:[^";]|"(?:[^"\\]|\\.)*")+/g) ?? []).map(
      (piece) => piece.trim(),
    );
    if (!name.test(first)) return undefined;
    let weight = 1;
    // A range with other parameters, such as `text/html;level=1`, is for something that is not served.
    let isPlain = true;
    for (const parameter of parameters) {
      const [, q] = WEIGHT.exec(parameter) ?? [];
      if (q !== undefined) weight = Number(q);
      else if (/^q[ \t]*=/i.test(parameter) || !PARAMETER.test(parameter)) return undefined;
      else if (!/^charset[ \t]*=/i.test(parameter)) isPlain = false;
    }
    if (isPlain) read.push({ name: first.toLowerCase(), weight });
  }
  return read;
}

const MEDIA_RANGE = new RegExp(`^(?:\\*/\\*|${TOKEN}/\\*|${TOKEN}/${TOKEN})$`);
const LANGUAGE_RANGE = /^(?:\*|[a-z]{1,8}(?:-[a-z0-9]{1,8})*)$/i;

/**
 * Whether a client wants a page rather than JSON: it names `text/html`, and weighs it above what it says of JSON, by name or by
 * `*` ranges. Whatever names no HTML, weighs both alike, or sends a malformed header gets JSON, as machines do.
 * @param accept the `Accept` header
 */
export function prefersHtml(accept: string | undefined): boolean {
  const ranges = accept === undefined ? undefined : weighed(accept, MEDIA_RANGE);
  if (ranges === undefined) return false;
  const of = (name: string): number | undefined => {
    const named = ranges.filter((range) => range.name === name);
    return named.length === 0 ? undefined : Math.max(...named.map(({ weight }) => weight));
  };
  const json = ['application/json', 'application/problem+json'].map(
    (name) => of(name) ?? of('application/*') ?? of('*/*') ?? 0,
  );
  return (of('text/html') ?? 0) > Math.max(...json);
}

/** A language of the page. */
export type PageLanguage = 'en' | 'de';

/** Returns the language that a person reads best; English unless German is preferred. @param accept `Accept-Language` */
export function pageLanguage(accept: string | undefined): PageLanguage {
  const ranges = accept === undefined ? undefined : weighed(accept, LANGUAGE_RANGE);
  const of = (language: PageLanguage): number =>
    Math.max(
      0,
      ...(ranges ?? [])
        .filter(({ name }) => name === language || name.startsWith(`${language}-`))
        .map(({ weight }) => weight),
    );
  return of('de') > of('en') ? 'de' : 'en';
}

const WORDS = {
  en: {
    required: 'Payment required',
    price: 'Price',
    test: 'Test money on Stellar testnet, without value.',
    to: 'Paid to',
    resource: 'What you get',
    service: 'Service',
    network: 'Network',
    pay: 'Pay here',
    terminal: 'Pay from a terminal',
    once: 'One payment buys this once. Nothing is taken if the seller fails to serve it.',
    before: 'One payment buys this once. The money is taken before it is made.',
    noScript: 'To pay in this page, allow JavaScript. The command below works without it.',
    asset: 'This is not USDC: units of the token',
  },
  de: {
    required: 'Kostenpflichtig',
    price: 'Preis',
    test: 'Testgeld im Stellar-Testnetz, ohne Wert.',
    to: 'Bezahlt wird an',
    resource: 'Was Sie bekommen',
    service: 'Dienst',
    network: 'Netzwerk',
    pay: 'Hier bezahlen',
    terminal: 'Im Terminal bezahlen',
    once: 'Eine Zahlung kauft dies einmal. Kann der Verkäufer es nicht liefern, wird nichts genommen.',
    before:
      'Eine Zahlung kauft dies einmal. Das Geld wird genommen, bevor das Gekaufte erstellt wird.',
    noScript:
      'Um auf dieser Seite zu bezahlen, erlauben Sie JavaScript. Der Befehl unten geht ohne.',
    asset: 'Das ist kein USDC: Einheiten des Tokens',
  },
} as const;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Returns a text for HTML, in an element or in an attribute with quotes; invisible characters are left out. */
function html(text: string): string {
  return visibleText(text).replace(/[&<>"']/g, (letter) => ENTITIES[letter] ?? '');
}

/** Longest words of a seller on the page, in UTF-16 units. */
const MAX_WORDS = 2_000;

/** Quotes an argument for a shell of POSIX. */
function shellWord(text: string): string {
  return /^[\w./:@%+,=~-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

const DEFAULT_ACCENT = '#0b5cad';

/** Returns black or white, by its contrast to a colour (WCAG 2.2). */
function inkOn(accent: string): '#000' | '#fff' {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(accent.slice(at, at + 2), 16) / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  // Where both have the same contrast, 4.58.
  return light > 0.179 ? '#000' : '#fff';
}

/** Whether a text is a colour that the page can have. */
export function isAccent(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text);
}

function styleOf(accent: string): string {
  return `:root{color-scheme:light dark;--paper:#fff;--ink:#1b1f24;--soft:#57606a;--line:#d0d7de;--well:#f3f5f7;--link:#0b5cad;--good:#116329;--bad:#a40e26;--accent:${accent};--on:${inkOn(accent)}}
@media (prefers-color-scheme:dark){:root{--paper:#0f1318;--ink:#e6e9ee;--soft:#a2abb6;--line:#323a44;--well:#181e26;--link:#7cb7ff;--good:#6fd08c;--bad:#ff9492}}
*{box-sizing:border-box}
[hidden]{display:none!important}
body{margin:0;padding:1.5rem 1rem 3rem;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
main{max-width:44rem;margin:0 auto}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .5rem;overflow-wrap:anywhere}
h2{font-size:1.05rem;margin:1.75rem 0 .5rem}
p{margin:.5rem 0;overflow-wrap:anywhere}
.price{font-size:2rem;font-weight:700;margin:.75rem 0 0}
.soft{color:var(--soft)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem;margin:1rem 0;padding:.75rem;border:1px solid var(--line);border-radius:.5rem}
dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
code,pre,dd.code{font-family:ui-monospace,monospace;font-size:.9rem}
pre{background:var(--well);border:1px solid var(--line);border-radius:.5rem;padding:.75rem;margin:.5rem 0;white-space:pre-wrap;overflow-wrap:anywhere}
button,a.button{display:inline-block;min-height:2.75rem;margin:.25rem .5rem .25rem 0;padding:.5rem 1rem;border:1px solid var(--line);border-radius:.5rem;background:var(--well);color:var(--ink);font:inherit;text-decoration:none;cursor:pointer}
button.main{background:var(--accent);border-color:var(--accent);color:var(--on);font-weight:600}
button:disabled{cursor:default;background:var(--well);border-color:var(--line);color:var(--soft)}
a{color:var(--link)}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
#status{font-weight:600}#status.good{color:var(--good)}#status.bad{color:var(--bad)}
iframe,img,video{display:block;width:100%;border:1px solid var(--line);border-radius:.5rem;background:#fff}
iframe{height:min(70vh,40rem)}img,video{width:auto;max-width:100%}audio{width:100%}
@media (max-width:30rem){dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.5rem}button,a.button{width:100%;text-align:center;margin-right:0}}
@media (prefers-reduced-motion:no-preference){button{transition:filter .1s}button:hover:enabled{filter:brightness(1.08)}}`;
}

/**
 * Returns the page of a 402 for a person: what is sold, its price, who is paid, and how to pay. Everything that a seller or a buyer
 * wrote is in it as text. It runs one script of the seller's own origin, loads nothing from others, and is never framed.
 */
export function paymentPage(
  { amount, asset, network, payTo, resource, settle }: Offer,
  { target, header }: Pick<SellerRequest, 'target' | 'header'>,
  { nonce, base, title, note, accent }: PaymentPage,
): Pick<SellerAnswer, 'headers' | 'body'> {
  const language = pageLanguage(header('accept-language'));
  const words = WORDS[language];
  const { description, serviceName, url } = resource;
  const heading = (title ?? description ?? serviceName ?? words.required).slice(0, MAX_WORDS);
  const isUsdc = asset === USDC_CONTRACT;
  const price = isUsdc ? `${formatDecimalAmount(amount)} USDC` : String(amount);
  const style = styleOf(accent !== undefined && isAccent(accent) ? accent : DEFAULT_ACCENT);
  const row = (name: string, text: string | undefined, kind = ''): string =>
    text === undefined
      ? ''
      : `<dt>${name}</dt><dd${kind === '' ? '' : ` class="${kind}"`}><bdi>${html(text)}</bdi></dd>\n`;
  const terms: readonly (readonly [string, string])[] = [
    ['base', base ?? ''],
    ['target', target],
    ['amount', String(amount)],
    ['asset', asset],
    ['pay-to', payTo],
    ['network', network],
    ['price', price],
  ];
  const data = terms.map(([name, value]) => ` data-${name}="${html(value)}"`).join('');
  const here =
    base === undefined
      ? ''
      : `<h2>${words.pay}</h2>
<noscript><p>${words.noScript}</p></noscript>
<p id="status" role="status" aria-live="polite"></p>
<div id="ways"${data}></div>
`;
  const body = `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>${html(heading)} · ${html(price)}</title>
<style nonce="${nonce}">${style}</style>
${base === undefined ? '' : `<script nonce="${nonce}" src="${html(base)}/pay.js" defer></script>\n`}</head>
<body>
<main>
<h1><bdi>${html(heading)}</bdi></h1>
${note === undefined ? '' : `<p><bdi>${html(note.slice(0, MAX_WORDS))}</bdi></p>\n`}<p class="price">${html(price)}</p>
${isUsdc ? '' : `<p>${words.asset} <code>${html(asset)}</code></p>\n`}<p class="soft">${words.test} ${settle === 'before' ? words.before : words.once}</p>
<dl>
${row(words.resource, url, 'code')}${row(words.service, serviceName)}${row(words.to, payTo, 'code')}${row(words.network, network)}</dl>
<div id="result" tabindex="-1" hidden></div>
${here}<h2>${words.terminal}</h2>
<pre tabindex="0"><code>svc-x402 pay ${html(shellWord(url))}</code></pre>
</main>
</body>
</html>
`;
  return { headers: pageHeaders(nonce), body };
}

/** What the page may do: run its script, ask its own origin, show what was bought. */
function pageHeaders(nonce: string): SellerAnswer['headers'] {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    'img-src data: blob:',
    'media-src blob:',
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return [
    ['content-type', 'text/html; charset=utf-8'],
    ['content-security-policy', policy.join('; ')],
    ['x-frame-options', 'DENY'],
    ['x-content-type-options', 'nosniff'],
    ['referrer-policy', 'no-referrer'],
    ['cross-origin-opener-policy', 'same-origin'],
  ];
}
