/**
 * How an entry is shown. All of its text was written by strangers: it reaches the document through
 * `textContent` and attributes that are no code, and an address becomes a link only when it is http.
 */
export const PAGE_ENTRY = String.raw`
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
function units(amount) {
  const digits = String(amount).padStart(8, '0');
  return digits.slice(0, -7) + '.' + digits.slice(-7).replace(/0{1,5}$/, '');
}
const short = (id) => (id.length > 20 ? id.slice(0, 6) + '…' + id.slice(-6) : id);

function badges(trust) {
  const list = [];
  if (trust.ownerVerified) list.push(['good', 'Owner verified', 'The URL itself asked to pay this recipient.']);
  else if (trust.localCheck) list.push(['good', 'Checked on this machine', 'The seller on this machine asks to pay this recipient.']);
  else list.push(['warn', 'Owner not verified', 'Nobody has confirmed that the URL belongs to this recipient.']);
  if (trust.uniquePayers < 3) list.push(['warn', 'Few payers', 'Fewer than three accounts have paid for it.']);
  return element('ul', { class: 'badges', 'aria-label': 'What is known of it' },
    list.map(([kind, name, meaning]) => element('li', { class: kind, title: meaning }, name)));
}

function codeFor(entry) {
  const url = JSON.stringify(entry.resource).replace(/[<>&\u2028\u2029]/g, (c) => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'));
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
function payment(entry) {
  if (entry.type !== 'http' || !entry.accepts.some(({ scheme }) => scheme === 'exact')) return undefined;
  const text = codeFor(entry);
  const copy = element('button', { type: 'button' }, 'Copy');
  copy.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text);
      say('The code is copied.');
    } catch {
      say('The browser does not let this page copy: select the code instead.');
    }
  });
  return element('details', {}, element('summary', {}, 'Code to pay for it'),
    element('pre', { tabindex: '0' }, element('code', {}, text)), copy);
}

function address(entry) {
  const isLink = /^https?:\/\//.test(entry.resource) && !/\/:/.test(entry.resource.slice(8));
  const text = entry.resource + (entry.toolName ? ' · ' + entry.toolName : '');
  return element('p', { class: 'url' }, isLink
    ? element('a', { href: entry.resource, rel: 'noopener noreferrer nofollow ugc' }, text)
    : text);
}

function article(entry, at) {
  const prices = entry.accepts.map(({ amount, asset, scheme }) =>
    element('dd', {}, (scheme === 'upto' ? 'up to ' : '') + units(amount) + ' of ', element('code', { title: asset }, short(asset))));
  const heading = element('h2', { id: 'entry-' + at }, entry.serviceName || entry.toolName || entry.resource);
  const settled = entry.trust.lastSettledAt;
  return element('li', {}, element('article', { 'aria-labelledby': 'entry-' + at },
    heading, address(entry), entry.description ? element('p', {}, entry.description) : undefined,
    badges(entry.trust),
    element('dl', {},
      element('dt', {}, 'Price'), prices,
      element('dt', {}, 'Paid to'), element('dd', {}, element('code', {}, entry.accepts[0] ? entry.accepts[0].payTo : '')),
      element('dt', {}, 'Payments'), element('dd', {}, entry.trust.settlements + ' by ' + entry.trust.uniquePayers + ' payers'),
      element('dt', {}, 'Last settled'), element('dd', {}, element('time', { datetime: settled }, settled.replace('T', ' ').slice(0, 16) + ' UTC')),
      entry.tags ? [element('dt', {}, 'Tags'), element('dd', {}, entry.tags.join(', '))] : []),
    payment(entry)));
}
`;
