import { PAGE_ENTRY } from './pageEntry.ts';
import { PAGE_FACETS } from './pageFacets.ts';
import { PAGE_PRICE } from './pagePrice.ts';

/** The page's script: it reads its own URL, queries the discovery endpoints, and shows the result. */
export const PAGE_SCRIPT = `
'use strict';
const list = document.getElementById('entries');
const status = document.getElementById('status');
const more = document.getElementById('more');
const asked = new URLSearchParams(location.search);
const form = document.getElementById('find');
const say = (text) => { status.textContent = text; };
const FILTERS = ['type', 'payTo', 'scheme', 'asset', 'minAmount', 'maxAmount', 'ownerVerified'];
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
    for (const name of ['type', 'payTo', 'scheme', 'ownerVerified']) if (asked.get(name)) sent.set(name, asked.get(name));
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
