import { PAGE_PRICE } from './pagePrice.ts';

/**
 * Renders an entry. All of its text was written by others: it enters the document only through
 * `textContent` and attributes that cannot contain code, and a URL becomes a link only if it is http.
 */
const PAGE_ENTRY = String.raw`
function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) made.setAttribute(name, value);
  for (const child of children.flat()) {
    if (child !== undefined && child !== null) {
      made.append(child instanceof Node ? child : document.createTextNode(String(child)));
    }
  }
  return made;
}

function badges(trust) {
  const list = [];
  if (trust.ownerVerified) list.push(['good', 'Owner verified', 'The URL itself asked to pay this recipient.']);
  else if (trust.localCheck) list.push(['good', 'Checked on this machine', 'The seller on this machine asks to pay this recipient.']);
  else list.push(['warn', 'Owner not verified', 'Nobody has confirmed that the URL belongs to this recipient.']);
  if (trust.uniquePayers < 3) list.push(['warn', 'Few payers', 'Fewer than three accounts have paid for it.']);
  return element('ul', { class: 'badges', 'aria-label': 'What is known of it' },
    list.map(([kind, name, meaning]) => element('li', { class: kind, title: meaning }, name)));
}

/** Explains in sentences why an entry is or is not trusted. */
function reasons(trust) {
  const payers = trust.uniquePayers === 1 ? '1 account' : trust.uniquePayers + ' accounts';
  const payments = trust.settlements === 1 ? '1 payment' : trust.settlements + ' payments';
  return [
    trust.ownerVerified
      ? 'The URL was fetched without a payment, and its own terms name this recipient.'
      : trust.localCheck
        ? 'The seller on this machine names this recipient. Nobody else can check that.'
        : 'The URL could not be fetched, is a route with parameters, or names somebody else: the recipient may not be its owner.',
    payments + ' by ' + payers + ' settled on the ledger.' + (trust.ownerVerified ? '' : ' On testnet that costs nothing, so it lifts no unverified entry.'),
    trust.statsSource === 'observed'
      ? 'This service saw ' + (trust.observedSettlements === 1 ? 'one' : trust.observedSettlements) + ' of them since it started.'
      : 'This service has seen none of them since it started; the counts come from its store.',
    ...(trust.protocols ? ['When the URL was fetched, it asked for payment by ' + trust.protocols.map((name) => PROTOCOLS[name] || name).join(' and ') + '.'] : []),
    'Nobody has judged what you get for the money.',
  ];
}

const escaped = (text) => JSON.stringify(text).replace(/[<>&\u2028\u2029]/g, (c) => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'));

function codeFor(entry) {
  const url = escaped(entry.resource);
  return [
    "import { wrapFetchWithPayment, x402Client } from '@x402/fetch';",
    "import { createEd25519Signer } from '@x402/stellar';",
    "import { ExactStellarScheme } from '@x402/stellar/exact/client';",
    '',
    "const signer = createEd25519Signer(process.env.PAYER_SECRET, 'stellar:testnet');",
    'const scheme = new ExactStellarScheme(signer, { url: process.env.STELLAR_RPC_URL });',
    "const pay = wrapFetchWithPayment(fetch, new x402Client().register('stellar:testnet', scheme));",
    'const response = await pay(' + url + (entry.method && entry.method !== 'GET' ? ', { method: ' + JSON.stringify(entry.method) + ' }' : '') + ');',
  ].join('\n');
}

function copied(text) {
  const copy = element('button', { type: 'button' }, 'Copy');
  copy.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text);
      say('The code is copied.');
    } catch {
      say('The browser does not let this page copy: select the code instead.');
    }
  });
  return [element('pre', { tabindex: '0' }, element('code', {}, text)), copy];
}

/** Shows the seller's declaration of a call. */
function declared(entry) {
  const bazaar = (entry.extensions || {}).bazaar;
  const input = bazaar && bazaar.info && bazaar.info.input;
  if (!input || typeof input !== 'object') return [];
  const { type, method, toolName, ...rest } = input;
  const said = Object.values(rest).some((value) => value && (typeof value !== 'object' || Object.keys(value).length > 0));
  return said ? [element('p', {}, 'The seller declares this input:'), element('pre', { tabindex: '0' }, element('code', {}, JSON.stringify(rest, null, 2)))] : [];
}

function calling(entry) {
  const isTool = entry.type === 'mcp';
  const how = isTool
    ? 'Call the tool ' + entry.toolName + ' of the MCP server at the address above; it answers with the terms of the payment.'
    : 'Send a ' + (entry.method || 'GET') + ' request; it answers 402 with the terms, and you send it again with the payment.';
  const payable = !isTool && entry.accepts.some(({ scheme }) => scheme === 'exact');
  return element('details', {}, element('summary', {}, 'How to call it'),
    element('p', {}, how), declared(entry), payable ? copied(codeFor(entry)) : []);
}

function address(entry) {
  const isLink = /^https?:\/\//.test(entry.resource) && !/\/:/.test(entry.resource.slice(8));
  const text = entry.resource + (entry.toolName ? ' · ' + entry.toolName : '');
  return element('p', { class: 'url' }, isLink
    ? element('a', { href: entry.resource, rel: 'noopener noreferrer nofollow ugc' }, text)
    : text);
}

const listed = (parts) => (parts.length < 2 ? parts.join('') : parts.slice(0, -1).join(', ') + ' and ' + parts[parts.length - 1]);

/** Returns why the search found an entry; undefined in a list. */
function why(match) {
  if (!match) return undefined;
  const said = match.words.map((one) => (one.synonym ? 'a word like ' : '') + '“' + one.word + '” in its ' +
    listed(one.in.map((field) => (field === 'url' ? 'address' : field))));
  const near = { high: 'Its meaning is close.', medium: 'Its meaning is related.', low: 'Its meaning is far.' }[match.confidence];
  const sentences = [...(said.length > 0 ? ['Found by ' + said.join('; ') + '.'] : []), ...(match.nearness === null ? [] : [near])];
  return sentences.length === 0 ? undefined : element('p', { class: 'why' }, sentences.join(' '));
}

function article(entry, at) {
  const heading = element('h2', { id: 'entry-' + at }, entry.serviceName || entry.toolName || entry.resource);
  const settled = entry.trust.lastSettledAt;
  return element('li', {}, element('article', { 'aria-labelledby': 'entry-' + at },
    element('div', { class: 'head' }, heading,
      element('p', { class: 'price' }, entry.accepts.map((option, n) => [n > 0 ? ' or ' : '', ...priceText(option)]).flat())),
    address(entry), entry.description ? element('p', {}, entry.description) : undefined,
    why(entry.match),
    badges(entry.trust),
    element('dl', {},
      element('dt', {}, 'Paid to'), element('dd', {}, element('code', {}, entry.accepts[0] ? entry.accepts[0].payTo : '')),
      element('dt', {}, 'Payments'), element('dd', {}, entry.trust.settlements + ' by ' + entry.trust.uniquePayers + (entry.trust.uniquePayers === 1 ? ' payer' : ' payers')),
      element('dt', {}, 'Last settled'), element('dd', {}, element('time', { datetime: settled }, settled.replace('T', ' ').slice(0, 16) + ' UTC')),
      entry.tags ? [element('dt', {}, 'Tags'), element('dd', {}, entry.tags.join(', '))] : []),
    element('details', {}, element('summary', {}, 'Why it is or is not trusted'),
      element('ul', {}, reasons(entry.trust).map((reason) => element('li', {}, reason)))),
    calling(entry)));
}
`;

/** Shows each value of a filter with its count of entries, as a link that applies it. */
const PAGE_FACETS = `
const facets = document.getElementById('facets');
function facetLink(name, value, text, count) {
  const to = new URLSearchParams(location.search);
  const isSet = to.get(name) === value;
  if (isSet) to.delete(name);
  else to.set(name, value);
  const link = element('a', { href: '/catalog?' + to, class: 'facet' }, text + ' ' + count);
  if (isSet) link.setAttribute('aria-current', 'true');
  return element('li', {}, link);
}
const PROTOCOLS = { x402: 'x402', mpp: 'MPP' };
const KINDS = { http: 'HTTP', mcp: 'MCP tools' };
async function showFacets() {
  const sent = new URLSearchParams();
  for (const name of FILTERS) if (asked.get(name)) sent.set(name, asked.get(name));
  const response = await fetch('/discovery/facets?' + sent, { headers: { accept: 'application/json' } });
  if (!response.ok) return;
  const found = await response.json();
  facets.replaceChildren(
    ...found.type.map(({ value, count }) => facetLink('type', value, KINDS[value] || value, count)),
    ...found.scheme.map(({ value, count }) => facetLink('scheme', value, value, count)),
    ...found.asset.map(({ value, count }) => facetLink('asset', value, NAMES[value] || short(value), count)),
    ...found.protocol.map(({ value, count }) => facetLink('protocol', value, 'Seen: ' + (PROTOCOLS[value] || value), count)),
    facetLink('ownerVerified', 'true', 'Owner verified', found.ownerVerified));
}
`;

/** The page's script: it reads its own URL, queries the discovery endpoints, and shows the result. */
export const PAGE_SCRIPT = `
'use strict';
const list = document.getElementById('entries');
const status = document.getElementById('status');
const more = document.getElementById('more');
const asked = new URLSearchParams(location.search);
const form = document.getElementById('find');
const say = (text) => { status.textContent = text; };
const FILTERS = ['type', 'payTo', 'scheme', 'asset', 'minAmount', 'maxAmount', 'ownerVerified', 'protocol'];
${PAGE_ENTRY}
${PAGE_PRICE}
${PAGE_FACETS}
for (const field of form.elements) {
  if (field.name && asked.get(field.name)) field.value = asked.get(field.name);
}
const query = (asked.get('query') || '').trim();
const most = /^[0-9]{1,38}$/.test(asked.get('maxAmount') || '') ? asked.get('maxAmount') : undefined;
const step = STEPS.findIndex((usdc) => atomic(usdc) === most);
price.value = String(step < 0 ? STEPS.length : step);
showPrice();
let shown = 0;
let cursor = null;
let fits = false;

function parameters() {
  const sent = new URLSearchParams({ limit: '20' });
  if (query) {
    for (const name of ['type', 'payTo', 'scheme', 'ownerVerified', 'protocol']) if (asked.get(name)) sent.set(name, asked.get(name));
    if (most !== undefined) sent.set('maxUsdPrice', usdc(most));
    sent.set('query', query);
    if (cursor) sent.set('cursor', cursor);
    return '/discovery/search?' + sent;
  }
  for (const name of FILTERS) if (asked.get(name)) sent.set(name, asked.get(name));
  sent.set('order', asked.get('order') || 'trusted');
  sent.set('offset', String(shown));
  return '/discovery/resources?' + sent;
}

function found(total, partial, unsure) {
  if (shown === 0) return 'Nothing found. A resource is listed once a payment for it has settled.';
  const of = total === undefined ? '' : ' of ' + total;
  const noun = shown === 1 && total === undefined ? ' resource' : ' resources';
  return shown + of + noun + ' shown.' +
    (unsure ? ' Nothing matches well: they share few words and little meaning with your query.' : '') +
    (partial ? ' The search was incomplete. Try again in a moment.' : '');
}

async function load() {
  more.hidden = true;
  say('Reading the catalog …');
  try {
    const response = await fetch(parameters(), { headers: { accept: 'application/json' } });
    const body = await response.json();
    if (!response.ok) throw new Error(body.message || 'status ' + response.status);
    const entries = query ? body.resources : body.items;
    const first = shown;
    list.append(...entries.map((entry, at) => article(entry, first + at)));
    shown += entries.length;
    fits = fits || entries.some(({ match }) => !match || match.confidence !== 'low');
    cursor = query ? body.pagination.cursor : null;
    const total = query ? undefined : body.pagination.total;
    more.hidden = query ? cursor === null : shown >= total;
    say(found(total, query && body.partialResults, query && !fits));
    if (first > 0) {
      const next = document.getElementById('entry-' + first);
      if (next) { next.tabIndex = -1; next.focus(); }
    }
  } catch (error) {
    say('The catalog could not be read: ' + error.message);
  }
}
more.addEventListener('click', load);
load();
if (!query) showFacets().catch(() => undefined);
`;
