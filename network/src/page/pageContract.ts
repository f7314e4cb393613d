/** The page of a contract: its interface, its storage, and a form that calls it. */
export const PAGE_CONTRACT = `
function lifeOf(until, ledger) {
  if (until === null) return element('span', { class: 'bad' }, 'archived');
  return 'until ledger ' + until.toLocaleString('en') + ' (' + (until - ledger).toLocaleString('en') + ' more)';
}
const signature = (one) => one.name + '(' + one.inputs.map(({ name, type }) => name + ': ' + type).join(', ') + ')' +
  (one.result === '()' ? '' : ' → ' + one.result);
const code = (text) => element('code', {}, text);

/** Pages of storage, loaded on request. */
function storageSection(address) {
  const body = element('tbody', {});
  const status = element('p', { class: 'soft', role: 'status' }, '');
  const more = element('button', { type: 'button' }, 'More');
  let next = '';
  async function load() {
    more.disabled = true;
    const path = '/contract/' + encodeURIComponent(address) + '/storage' + (next ? '?cursor=' + encodeURIComponent(next) : '');
    const page = await read(path);
    for (const one of page.entries) {
      body.append(element('tr', {}, [withLinks(one.key), element('span', { class: 'number' }, one.kind),
        lifeOf(one.liveUntilLedger, page.ledger), withLinks(one.value)].map((cell) => element('td', {}, cell))));
    }
    next = page.next;
    more.disabled = false;
    more.hidden = next === null;
    status.textContent = body.childElementCount === 0 ? 'Nothing is stored.' : '';
  }
  const reload = () => { next = ''; body.replaceChildren(); return load(); };
  more.addEventListener('click', () => load().catch((error) => { status.textContent = error.message; }));
  const head = element('thead', {}, element('tr', {}, ['Key', 'Kind', 'TTL', 'Value'].map((name) => element('th', { scope: 'col' }, name))));
  return {
    reload,
    node: section('Storage', element('div', { class: 'scroll', role: 'region', 'aria-label': 'Storage', tabindex: '0' },
      element('table', {}, head, body)), status, more),
  };
}

function field(label, hint, attributes) {
  const input = element('input', { autocomplete: 'off', spellcheck: 'false', ...attributes });
  return { input, node: element('label', { class: 'field' }, element('span', {}, label, ' ', element('span', { class: 'soft' }, hint)), input) };
}

async function post(path, body) {
  const response = await fetch(base + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error || 'The network returned HTTP ' + response.status + '.');
  return answer;
}

/** Sends a transaction and waits for its ledger. */
async function sent(transaction) {
  const { hash, status } = await call('sendTransaction', { transaction });
  if (status === 'ERROR' || status === 'TRY_AGAIN_LATER') throw new Error('The network did not accept the transaction: ' + status + '.');
  for (let tries = 0; tries < 60; tries += 1) {
    const found = await call('getTransaction', { hash });
    if (found.status !== 'NOT_FOUND') return { hash, status: found.status };
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  return { hash, status: 'PENDING' };
}

/** A form that simulates a call, or signs and sends it. */
function callSection(found, changed) {
  const choice = element('select', { name: 'function' }, found.functions.map((one, at) => element('option', { value: String(at) }, one.name)));
  const inputs = element('div', {});
  const source = field('Source account', 'G…', { name: 'source' });
  const secret = field('Secret key', 'S…, needed to call; it never leaves this page', { name: 'secret', type: 'password' });
  const status = element('p', { role: 'status' });
  const result = element('div', {});
  const simulate = element('button', { type: 'submit' }, 'Simulate');
  const send = element('button', { type: 'button' }, 'Call');
  const fresh = element('button', { type: 'button' }, 'New account');
  let given = [];
  function choose() {
    given = found.functions[Number(choice.value || 0)].inputs.map(({ name, type }) => field(name, type, { name: 'argument' }));
    inputs.replaceChildren(...given.map((one) => one.node));
    result.replaceChildren();
  }
  const prepare = (from) => post('/contract/' + encodeURIComponent(found.id) + '/call', {
    function: found.functions[Number(choice.value || 0)].name,
    arguments: given.map((one) => one.input.value),
    source: from,
  });
  function show(title, trace, ...more) {
    result.replaceChildren(element('h3', {}, title), ...more, ...traceSections(trace).filter(Boolean));
  }
  const needs = (others) => others.length === 0 ? [] : [element('p', {}, 'The call also needs authorization from ',
    others.flatMap((one, at) => [at > 0 ? ', ' : '', partyLink(one)]), '. This page signs only for the source account.')];
  async function working(words, run) {
    for (const button of [simulate, send, fresh]) button.disabled = true;
    status.className = 'soft';
    status.textContent = words;
    try {
      status.textContent = await run() || '';
    } catch (error) {
      status.className = 'bad';
      status.textContent = error.message;
    } finally {
      for (const button of [simulate, send, fresh]) button.disabled = false;
    }
  }
  const simulated = () => working('Simulating…', async () => {
    const { trace, alsoNeeds } = await prepare(source.input.value.trim());
    show(trace.successful ? 'The call would succeed' : 'The call would fail', trace, ...needs(alsoNeeds));
  });
  const called = () => working('Calling…', async () => {
    const key = await keyOfSecret(secret.input.value);
    source.input.value = key.address;
    const { trace, alsoNeeds, transaction, hash } = await prepare(key.address);
    if (!trace.successful) { show('The call would fail; nothing was sent', trace); return ''; }
    if (transaction === null) throw new Error('The source account does not exist.');
    const { hash: id, status: outcomeName } = await sent(await signedTransaction(transaction, hash, key));
    const made = outcomeName === 'PENDING' ? undefined : await read('/tx/' + id + '/trace');
    const title = outcomeName === 'SUCCESS' ? 'The call succeeded' : outcomeName === 'FAILED' ? 'The call failed' : 'Waiting for a ledger';
    show(title, made, element('p', {}, 'Transaction ', transactionLink(id)), ...needs(made && made.successful ? [] : alsoNeeds));
    await changed();
    return '';
  });
  const funded = () => working('Funding a new account…', async () => {
    const made = await newSecret();
    const { address } = await keyOfSecret(made);
    const response = await fetch(base + '/friendbot?addr=' + address);
    if (!response.ok) throw new Error('Friendbot returned HTTP ' + response.status + '.');
    source.input.value = address;
    secret.input.value = made;
    return 'Account ' + short(address) + ' has 10,000 XLM. Its secret key is lost when you leave this page.';
  });
  const form = element('form', { class: 'call', name: 'call' },
    element('label', { class: 'field' }, element('span', {}, 'Function'), choice), inputs, source.node, secret.node,
    element('p', { class: 'buttons' }, simulate, send, fresh));
  choice.addEventListener('change', choose);
  form.addEventListener('submit', (event) => { event.preventDefault(); simulated(); });
  send.addEventListener('click', called);
  fresh.addEventListener('click', funded);
  choose();
  return section('Call', form, status, result);
}

/** Updates a shown contract after each ledger, without changing the form. */
let refreshContract = async () => {};

async function contractView(address) {
  const [{ oldestLedger }, found] = await Promise.all([
    call('getHealth'),
    read('/contract/' + encodeURIComponent(address) + '/interface').catch((error) => { if (!(error instanceof NotThere)) throw error; }),
  ]);
  const happened = element('div', {});
  const showEvents = async () => happened.replaceChildren(section('Events',
    table('Events', EVENT_HEADS, eventRows(await latestEvents(oldestLedger, address)), 'None recently.')));
  await showEvents();
  const title = 'Contract ' + (found && found.name ? found.name + ' ' : '') + short(address);
  if (!found) {
    refreshContract = showEvents;
    return { title, content: [facts([['Address', element('span', { class: 'id' }, address)]]),
      element('p', {}, 'This contract does not exist.'), happened] };
  }
  const stored = storageSection(address);
  await stored.reload();
  refreshContract = showEvents;
  return {
    title,
    content: [
      facts([
        ['Address', element('span', { class: 'id' }, address)],
        ...(found.name ? [['Name', found.name]] : []),
        ['Code', found.kind === 'asset' ? 'Stellar Asset Contract, part of the network'
          : [element('span', { class: 'id' }, found.codeHash), found.codeBytes === null ? ' does not exist' : ', ' + found.codeBytes.toLocaleString('en') + ' bytes']],
        ...(found.kind === 'asset' ? [] : [['Code TTL', lifeOf(found.codeLiveUntilLedger, found.ledger)]]),
        ['Instance TTL', lifeOf(found.liveUntilLedger, found.ledger)],
      ]),
      section('Interface', found.functions.length === 0
        ? element('p', { class: 'soft' }, 'The contract does not declare any functions.')
        : element('ul', { class: 'plain' }, found.functions.map((one) => element('li', {}, code(signature(one)))))),
      found.types.length > 0 ? section('Types', facts(found.types.map((one) => [code(one.name), code(one.text)]))) : null,
      found.errors.length > 0 ? section('Errors', table('Errors', ['Number', 'Name', 'Meaning'],
        found.errors.map((one) => [element('span', { class: 'number' }, one.number), code(one.name), one.doc]))) : null,
      found.functions.length > 0 ? callSection(found, async () => { await Promise.all([stored.reload(), showEvents()]); }) : null,
      found.instance.length > 0 ? section('Stored in the instance', table('Stored in the instance', ['Key', 'Value'],
        found.instance.map((one) => [withLinks(one.key), withLinks(one.value)]))) : null,
      stored.node,
      happened,
    ],
  };
}
`;
