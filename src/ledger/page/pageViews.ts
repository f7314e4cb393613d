/** The views of the page: the latest, and one of each thing that can be linked to. */
export const PAGE_VIEWS = `
const ledgerRows = (found) => found.map((one) => [
  ledgerLink(one.sequence), when(one.closed_at),
  one.successful_transaction_count + one.failed_transaction_count, one.operation_count,
]);
const LEDGER_HEADS = ['Ledger', 'Closed (UTC)', 'Transactions', 'Operations'];
const transactionRows = (found) => found.map((one) => [
  transactionLink(one.hash), outcome(one.successful), ledgerLink(one.ledger),
  partyLink(one.source_account), one.operation_count, one.fee_charged,
]);
const TRANSACTION_HEADS = ['Transaction', 'Outcome', 'Ledger', 'Source', 'Operations', 'Fee (stroops)'];

/** A text with its addresses as links. */
function withLinks(text) {
  return String(text).split(/\\b([GC][A-Z2-7]{55})\\b/).map((part, at) => (at % 2 ? partyLink(part) : part));
}
const errorText = (one) => one.code + (one.name ? ' ' + one.name : '') + ': ' + one.meaning;
function contractName({ id, name }) {
  return [name ? name + ' ' : '', partyLink(id)];
}
/** Several items, the first on the line of its own mark. */
const listed = (items) => element('ul', { class: 'tree' }, items.map((item) => element('li', {}, item)));
/** What happened within a call, in order. */
function stepContent(step) {
  if (step.kind === 'log') return ['log ', withLinks(step.text)].flat();
  if (step.kind === 'event') {
    const [name, ...topics] = step.topics;
    return ['event ' + name + '(', withLinks([...topics, step.amount || step.data].join(', ')), ')'].flat();
  }
  if (step.kind === 'error') {
    return [element('span', { class: 'bad' }, errorText(step)), step.text ? [' ', withLinks(step.text)] : []].flat(2);
  }
  return callContent(step);
}
function callContent(call) {
  const given = call.arguments.map(({ name, value, amount }, at) =>
    [at > 0 ? ', ' : '', name ? name + ': ' : '', withLinks(amount || value)]);
  const ends = {
    failed: element('span', { class: 'bad' }, 'failed'),
    unknown: 'its end was not recorded',
    returned: call.result ? ['returned ', withLinks(call.result.amount || call.result.value)].flat() : 'returned ()',
  };
  const within = [
    ...(call.authorizedBy.length > 0 ? [['authorized by ', withLinks(call.authorizedBy.join(', '))].flat()] : []),
    ...call.steps.map(stepContent),
    ends[call.outcome],
  ];
  return [contractName(call.contract), '.' + call.function + '(', given, ')', listed(within)].flat(4);
}
/** Why a transaction failed: the call that failed first. */
function failureContent(failure) {
  const where = failure.contract ? [contractName(failure.contract), '.' + failure.function, ' '] : [];
  return element('p', {}, where.flat(), element('span', { class: 'bad' }, errorText(failure)));
}
const lifeText = (one) => one.liveUntilLedger === null ? '' : one.liveUntilLedger +
  (one.liveUntilLedgerBefore === null ? '' : ', before ' + one.liveUntilLedgerBefore);
function storageRows(entries) {
  return entries.map((one) => [
    one.access, one.contract ? contractName(one.contract) : '', withLinks(one.key), element('span', { class: 'number' }, one.kind), lifeText(one),
    one.changed ? withLinks((one.before || 'did not exist') + ' → ' + (one.after || 'removed')) : element('span', { class: 'number' }, 'unchanged'),
  ]);
}
function authorizationRows(given) {
  return given.map((one) => [
    partyLink(one.by), one.calls.map((call, at) => [at > 0 ? ', ' : '', withLinks(call)]).flat(2),
    one.bySource ? 'signature of the transaction' : one.validUntilLedger === null ? '' : 'until ledger ' + one.validUntilLedger,
  ]);
}
/** What a transaction did: the same tree as in a terminal. */
function traceSections(trace) {
  if (!trace || trace.steps.length === 0) return [];
  const measured = trace.cpuInstructions === null ? null : element('p', { class: 'soft' },
    trace.cpuInstructions.toLocaleString('en') + ' CPU instructions, ' + (trace.memoryBytes || 0).toLocaleString('en') + ' bytes of memory');
  return [
    trace.failure ? section('Why it failed', failureContent(trace.failure)) : null,
    trace.story.length > 0 ? section('Story', element('ol', {}, trace.story.map((line) => element('li', {}, withLinks(line))))) : null,
    section('Calls', listed(trace.steps.map(stepContent)), measured),
    trace.authorization.length > 0 ? section('Authorization',
      table('Authorization', ['By', 'Calls', 'Valid'], authorizationRows(trace.authorization))) : null,
    trace.storage.length > 0 ? section('Storage',
      table('Storage', ['Access', 'Contract', 'Key', 'Kind', 'Live until ledger', 'Change'], storageRows(trace.storage))) : null,
  ];
}

/** What an operation does, in a line. */
function operationText(one) {
  const parts = [];
  const say = (...more) => parts.push(...more);
  if (one.amount) say(one.amount, ' ', assetName(one), ' ');
  if (one.starting_balance) say(one.starting_balance, ' XLM ');
  for (const change of one.asset_balance_changes || []) {
    say(change.amount, ' ', assetName(change), ' from ', partyLink(change.from), ' to ', partyLink(change.to), ' ');
  }
  if (one.type === 'account_merge') return ['closes ', partyLink(one.account), ' into ', partyLink(one.into)];
  for (const [word, party] of [['from', one.from], ['to', one.to || one.account || one.into], ['trusting', one.trustee]]) {
    if (party && !(one.asset_balance_changes || []).length) say(word, ' ', partyLink(party), ' ');
  }
  if (one.type === 'manage_data') say(one.value === null ? 'removes ' : 'sets ', one.name);
  return parts.length > 0 ? parts : '';
}
const operationRows = (found) => found.map((one) => [
  one.type.replaceAll('_', ' '), operationText(one), partyLink(one.source_account),
  transactionLink(one.transaction_hash), outcome(one.transaction_successful),
]);
const OPERATION_HEADS = ['Operation', 'What', 'Source', 'Transaction', 'Outcome'];

const eventRows = (found) => found.map((one) => [
  partyLink(one.contractId), (one.topicJson || []).map((topic, at) => [at > 0 ? ' · ' : '', valueOf(topic)]).flat(),
  valueOf(one.valueJson), ledgerLink(one.ledger), transactionLink(one.txHash),
]);
const EVENT_HEADS = ['Contract', 'Topics', 'Value', 'Ledger', 'Transaction'];

/** The latest events of contracts, newest first, of one contract or of all. */
async function latestEvents(startLedger, contractId) {
  const filters = contractId ? [{ type: 'contract', contractIds: [contractId] }] : [{ type: 'contract' }];
  const { latestLedger } = await call('getHealth');
  let events = [];
  // One call looks through 10,000 ledgers at most: the newest first, and further back while there are none.
  for (let end = latestLedger + 1; end > startLedger && events.length === 0; end -= 9000) {
    const from = Math.max(startLedger, end - 9000);
    let cursor;
    for (let page = 0; page < 20; page += 1) {
      const found = await call('getEvents', {
        filters, xdrFormat: 'json',
        ...(cursor ? {} : { startLedger: from, endLedger: end }),
        pagination: { limit: 1000, ...(cursor ? { cursor } : {}) },
      });
      events = events.concat(found.events).slice(-15);
      if (found.events.length < 1000) break;
      cursor = found.cursor;
    }
  }
  return events.reverse();
}

async function home() {
  const [ledgers, transactions, operations] = await Promise.all([
    records('/ledgers?order=desc&limit=10'),
    records('/transactions?order=desc&limit=15&include_failed=true'),
    records('/operations?order=desc&limit=30&include_failed=true'),
  ]);
  const { oldestLedger } = await call('getHealth');
  const events = await latestEvents(oldestLedger);
  const parties = [...new Set(operations.flatMap((one) =>
    [one.source_account, one.from, one.to, one.account, one.funder, one.into])
    .filter((party) => typeof party === 'string' && party[0] === 'G'))].slice(0, 10);
  const accounts = await Promise.all(parties.map((party) => read('/accounts/' + party).catch(() => undefined)));
  return {
    title: 'The latest',
    content: [
      element('div', { class: 'grid' },
        section('Ledgers', table('Latest ledgers', LEDGER_HEADS, ledgerRows(ledgers), 'None yet.')),
        section('Accounts', table('Accounts lately active', ['Account', 'XLM', 'Other assets'],
          accounts.filter(Boolean).map((one) => [
            partyLink(one.account_id),
            element('span', { class: 'number' }, one.balances.find((line) => line.asset_type === 'native').balance),
            one.balances.filter((line) => line.asset_type !== 'native')
              .map((line) => line.balance + ' ' + assetName(line)).join(', '),
          ]), 'No account has done anything yet.'))),
      section('Transactions', table('Latest transactions', TRANSACTION_HEADS, transactionRows(transactions), 'None yet.')),
      section('Contract events', table('Latest contract events', EVENT_HEADS, eventRows(events), 'None lately.')),
    ],
  };
}

async function transactionView(hash) {
  const [one, operations, effects, detail, trace] = await Promise.all([
    read('/transactions/' + encodeURIComponent(hash)),
    records('/transactions/' + encodeURIComponent(hash) + '/operations?limit=200'),
    records('/transactions/' + encodeURIComponent(hash) + '/effects?limit=200'),
    call('getTransaction', { hash, xdrFormat: 'json' }).catch(() => ({})),
    read('/tx/' + encodeURIComponent(hash) + '/trace').catch(() => undefined),
  ]);
  const events = (detail.events && detail.events.contractEventsJson || []).flat();
  const bodyOf = (event) => (event.body && event.body.v0) || {};
  return {
    title: 'Transaction ' + short(hash),
    content: [
      facts([
        ['Hash', element('span', { class: 'id' }, one.hash)],
        ['Outcome', outcome(one.successful)],
        ['Ledger', ledgerLink(one.ledger)],
        ['Closed (UTC)', when(one.created_at)],
        ['Source', partyLink(one.source_account)],
        ['Fee', [one.fee_charged + ' of ' + one.max_fee + ' stroops, by ', partyLink(one.fee_account)]],
        ...(facilitator && one.fee_account !== one.source_account ? [['Settlement', element('a', { href: facilitator + '/settlements/' + one.hash }, 'what the facilitator knows of it')]] : []),
        ['Memo', one.memo_type === 'none' ? 'none' : one.memo_type + ': ' + (one.memo === undefined ? '' : one.memo)],
      ]),
      ...traceSections(trace),
      section('Operations', table('Operations', OPERATION_HEADS, operationRows(operations), 'None.')),
      section('Contract events', table('Contract events', ['Contract', 'Topics', 'Value'],
        events.map((event) => [
          partyLink(event.contract_id),
          (bodyOf(event).topics || []).map((topic, at) => [at > 0 ? ' · ' : '', valueOf(topic)]).flat(),
          valueOf(bodyOf(event).data),
        ]), 'None.')),
      section('Effects', table('Effects', ['Effect', 'Account', 'Amount'], effects.map((effect) => [
        effect.type.replaceAll('_', ' '), partyLink(effect.account),
        effect.amount ? effect.amount + ' ' + assetName(effect) : '',
      ]), 'None.')),
      section('Result', element('pre', { tabindex: '0' }, JSON.stringify(detail.resultJson, null, 2) || '')),
    ],
  };
}

async function ledgerView(sequence) {
  const path = '/ledgers/' + encodeURIComponent(sequence);
  const [one, transactions] = await Promise.all([
    read(path), records(path + '/transactions?limit=200&include_failed=true'),
  ]);
  const neighbour = (at, word) => element('a', { href: base + '/ledger/' + at }, word);
  return {
    title: 'Ledger ' + one.sequence,
    content: [
      element('p', {}, neighbour(one.sequence - 1, 'Earlier'), ' · ', neighbour(one.sequence + 1, 'Later')),
      facts([
        ['Hash', element('span', { class: 'id' }, one.hash)],
        ['Before it', element('span', { class: 'id' }, one.prev_hash || '')],
        ['Closed (UTC)', when(one.closed_at)],
        ['Operations', one.operation_count],
        ['All lumens', one.total_coins],
        ['Fee pool', one.fee_pool],
        ['Protocol', one.protocol_version],
      ]),
      section('Transactions', table('Transactions', TRANSACTION_HEADS, transactionRows(transactions), 'None.')),
    ],
  };
}

async function accountView(address) {
  const path = '/accounts/' + encodeURIComponent(address);
  const [one, operations] = await Promise.all([
    // One that was merged is gone from the state, and what it did is still there.
    read(path).catch((error) => { if (!(error instanceof NotThere)) throw error; }),
    records(path + '/operations?order=desc&limit=30&include_failed=true'),
  ]);
  const did = section('Operations', table('Operations', OPERATION_HEADS, operationRows(operations), 'None.'));
  if (!one) {
    const closed = facts([['Address', element('span', { class: 'id' }, address)]]);
    return { title: 'Account ' + short(address), content: [closed, element('p', {}, 'This account is closed.'), did] };
  }
  return {
    title: 'Account ' + short(address),
    content: [
      facts([
        ['Address', element('span', { class: 'id' }, one.account_id)],
        ['Sequence', one.sequence],
        ['Sub-entries', one.subentry_count],
        ['Signers', one.signers.map((signer) => short(signer.key) + ' (' + signer.weight + ')').join(', ')],
      ]),
      section('Balances', table('Balances', ['Asset', 'Balance', 'Issuer'], one.balances.map((line) => [
        assetName(line), element('span', { class: 'number' }, line.balance), partyLink(line.asset_issuer),
      ]), 'None.')),
      did,
    ],
  };
}

async function contractView(address) {
  const { oldestLedger } = await call('getHealth');
  const events = await latestEvents(oldestLedger, address);
  return {
    title: 'Contract ' + short(address),
    content: [
      facts([['Address', element('span', { class: 'id' }, address)]]),
      section('Events', table('Events', EVENT_HEADS, eventRows(events), 'None lately.')),
    ],
  };
}
`;
