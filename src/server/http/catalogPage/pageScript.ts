import { PAGE_ENTRY } from './pageEntry.ts';

/** What the page does: it reads its own address, asks the discovery endpoints, and shows the answer. */
export const PAGE_SCRIPT = `
'use strict';
const list = document.getElementById('entries');
const status = document.getElementById('status');
const more = document.getElementById('more');
const asked = new URLSearchParams(location.search);
const say = (text) => { status.textContent = text; };
${PAGE_ENTRY}
const form = document.getElementById('find');
for (const field of form.elements) {
  if (field.name && asked.get(field.name)) field.value = asked.get(field.name);
}
const query = (asked.get('query') || '').trim();
let shown = 0;
let cursor = null;

function parameters() {
  const sent = new URLSearchParams({ limit: '20' });
  for (const name of ['type', 'payTo']) if (asked.get(name)) sent.set(name, asked.get(name));
  if (query) {
    sent.set('query', query);
    if (cursor) sent.set('cursor', cursor);
    return '/discovery/search?' + sent;
  }
  for (const name of ['asset', 'minAmount', 'maxAmount']) if (asked.get(name)) sent.set(name, asked.get(name));
  sent.set('offset', String(shown));
  return '/discovery/resources?' + sent;
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
    cursor = query ? body.pagination.cursor : null;
    const total = query ? undefined : body.pagination.total;
    more.hidden = query ? cursor === null : shown >= total;
    const found = shown === 0
      ? 'Nothing found. A resource is listed when a payment for it has settled.'
      : shown + (total === undefined ? '' : ' of ' + total) + (shown === 1 && total === undefined ? ' resource' : ' resources') + ' shown.';
    say(found + (query && body.partialResults ? ' The search was not complete; try again in a moment.' : ''));
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
`;
