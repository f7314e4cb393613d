import { USDC_ISSUER } from '../../../common/testnetAssets.ts';
import { PAGE_CONTRACT } from './pageContract.ts';
import { PAGE_SIGNING } from './pageSigning.ts';
import { PAGE_TRACE } from './pageTrace.ts';
import { PAGE_VIEWS } from './pageViews.ts';

/**
 * The script of the page. Text from the network is inserted into the document only as text (`textContent`), because anybody can
 * choose names of assets, memos and data.
 */
export const PAGE_SCRIPT = String.raw`
'use strict';
const main = document.getElementById('main');
const live = document.getElementById('live');
const pause = document.getElementById('pause');

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
/** The prefix of the page's own paths: a proxy can serve the network below its own path. */
const PLACES = /^(.*?)\/(?:(tx|ledger|account|contract)\/([^/]*))?$/;
const [, base = '', kind = '', raw = ''] = PLACES.exec(location.pathname) || [, location.pathname];
const short = (id) => (id.length > 20 ? id.slice(0, 8) + '…' + id.slice(-8) : id);
function link(path, id, whole) {
  return element('a', { href: base + path + encodeURIComponent(id), class: 'id', title: id }, whole ? id : short(id));
}
const USDC_ISSUER = '${USDC_ISSUER}';
const facilitator = document.querySelector('meta[name=facilitator]').content;
const transactionLink = (hash, whole) => link('/tx/', hash, whole);
const ledgerLink = (sequence) => link('/ledger/', String(sequence));
function partyLink(id) {
  if (typeof id !== 'string') return '';
  if (/^C[A-Z2-7]{55}$/.test(id)) return link('/contract/', id);
  return /^[GM][A-Z2-7]{55,68}$/.test(id) ? link('/account/', id) : id;
}
const when = (time) => element('time', { datetime: time, class: 'number' }, time.replace('T', ' ').replace('Z', ''));
const outcome = (successful) =>
  element('span', { class: successful ? 'good' : 'bad' }, successful ? 'success' : 'failed');
const assetName = (one, prefix) => {
  const of = (name) => one[(prefix || '') + name];
  if (of('asset_type') === 'native') return 'XLM';
  const [code, issuer] = [of('asset_code'), of('asset_issuer')];
  // Anyone can issue an asset with any code, so only the network's own USDC is shown without its issuer.
  if (!code || !issuer || (code === 'USDC' && issuer === USDC_ISSUER)) return code || of('asset_type') || '';
  return code + ' of ' + short(issuer);
};

function table(caption, heads, rows, empty) {
  const body = rows.map((cells) => element('tr', {}, cells.map((cell) =>
    cell instanceof HTMLTableCellElement ? cell : element('td', {}, cell))));
  if (rows.length === 0) return element('p', { class: 'soft' }, empty);
  return element('div', { class: 'scroll', role: 'region', 'aria-label': caption, tabindex: '0' },
    element('table', {},
      element('thead', {}, element('tr', {}, heads.map((head) => element('th', { scope: 'col' }, head)))),
      element('tbody', {}, body)));
}
function facts(rows) {
  return element('div', { class: 'scroll' }, element('table', {}, element('tbody', {}, rows.map(([name, value]) =>
    element('tr', {}, element('th', { scope: 'row' }, name), element('td', {}, value))))));
}
function section(title, ...content) {
  return element('section', {}, element('h2', {}, title), content);
}

class NotThere extends Error {}
async function read(path) {
  const response = await fetch(base + path, { headers: { accept: 'application/json' } });
  if (response.status === 404 || response.status === 400 || response.status === 410) throw new NotThere(path);
  if (!response.ok) throw new Error('The network returned HTTP ' + response.status + '.');
  return response.json();
}
const records = async (path) => (await read(path))._embedded.records;
async function call(method, params) {
  const response = await fetch(base + '/rpc', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const answer = await response.json();
  if (answer.error) throw new Error(answer.error.message);
  return answer.result;
}

/** A contract's value in words. */
function valueText(value) {
  if (value === null || typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return '[' + value.map(valueText).join(', ') + ']';
  const [[kind, inner] = ['', ''], ...others] = Object.entries(value);
  if (others.length > 0) return JSON.stringify(value);
  if (kind === 'map' && Array.isArray(inner)) {
    return '{' + inner.map(({ key, val }) => valueText(key) + ': ' + valueText(val)).join(', ') + '}';
  }
  if (kind === 'string' && /^\w{1,12}:G[A-Z2-7]{55}$/.test(inner)) return inner.slice(0, inner.indexOf(':'));
  return kind === 'vec' || inner === null || typeof inner !== 'object' ? valueText(inner) : JSON.stringify(inner);
}
function valueOf(value) {
  if (value && typeof value === 'object' && typeof value.address === 'string') return partyLink(value.address);
  const text = valueText(value);
  return /^-?\d+$/.test(text) ? element('span', { class: 'number' }, text) : text;
}
${PAGE_TRACE}${PAGE_VIEWS}${PAGE_SIGNING}${PAGE_CONTRACT}
const VIEWS = { '': home, tx: transactionView, ledger: ledgerView, account: accountView, contract: contractView };
const id = decodeURIComponent(raw);

let paused = false;
let drawing = false;
let again = false;
async function draw() {
  if (drawing) { again = true; return; }
  drawing = true;
  try {
    const focused = document.activeElement && document.activeElement.getAttribute('href');
    const scrolled = scrollY;
    const { title, content } = await VIEWS[kind](id);
    document.title = title + ' · Local Stellar network';
    main.replaceChildren(element('h1', { tabindex: '-1' }, title), ...content.filter(Boolean));
    const same = focused && [...main.querySelectorAll('a')].find((one) => one.getAttribute('href') === focused);
    if (same) same.focus({ preventScroll: true });
    scrollTo({ top: scrolled });
  } catch (error) {
    const text = error instanceof NotThere
      ? 'The network does not have this, or no longer stores it.'
      : 'The network could not be read: ' + error.message;
    main.replaceChildren(element('h1', {}, 'Not found'), element('p', {}, text));
  } finally {
    drawing = false;
    if (again) { again = false; draw(); }
  }
}

function follow() {
  const stream = new EventSource(base + '/ledgers?cursor=now');
  stream.onmessage = ({ data }) => {
    const ledger = JSON.parse(data);
    if (typeof ledger !== 'object' || paused) return;
    live.textContent = 'Ledger ' + ledger.sequence + ', ' +
      (ledger.successful_transaction_count + ledger.failed_transaction_count) + ' transactions';
    if (kind === '' || kind === 'account') draw();
    if (kind === 'contract') refreshContract().catch(() => {});
  };
  stream.onerror = () => { live.textContent = 'The network is not responding. Retrying…'; };
}
pause.addEventListener('click', () => {
  paused = !paused;
  pause.setAttribute('aria-pressed', String(paused));
  if (!paused) draw();
});
/** Searches for anything but an address or a number: opens a single result at once, and lists several. */
async function search(text) {
  const said = document.getElementById('found');
  const { places } = await read('/explorer/search?for=' + encodeURIComponent(text));
  const [first] = places;
  if (places.length === 0) said.textContent = 'Nothing found. Enter a hash, ledger, address, asset or name.';
  else if (places.length === 1) location.href = base + '/' + first.kind + '/' + first.id;
  else said.replaceChildren(...places.flatMap((one, at) => [at > 0 ? ', ' : '', link('/' + one.kind + '/', one.id), ' ' + one.name]));
}
async function hashSearch(text) {
  // A hash is that of a transaction or of a contract's code.
  const known = await read('/transactions/' + text).catch(() => undefined);
  if (known) location.href = base + '/tx/' + text;
  else await search(text);
}
document.getElementById('find').addEventListener('submit', (event) => {
  event.preventDefault();
  const text = new FormData(event.target).get('what').trim();
  const failed = (error) => { document.getElementById('found').textContent = error.message; };
  if (/^[0-9a-fA-F]{64}$/.test(text)) hashSearch(text.toLowerCase()).catch(failed);
  else if (/^\d{1,10}$/.test(text)) location.href = base + '/ledger/' + text;
  else if (/^[GM][A-Z2-7]{55,68}$/.test(text)) location.href = base + '/account/' + text;
  else if (/^C[A-Z2-7]{55}$/.test(text)) location.href = base + '/contract/' + text;
  else search(text).catch(failed);
});
document.getElementById('home').setAttribute('href', base + '/');
read('/').then((root) => { document.getElementById('passphrase').textContent = root.network_passphrase; });
draw();
follow();
`;
