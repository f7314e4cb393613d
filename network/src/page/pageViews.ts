/** The views of the page: the latest activity, and one for each kind of linkable object. */
export const PAGE_VIEWS = `
const ledgerRows = (found) => found.map((one) => [
  ledgerLink(one.sequence), when(one.closed_at),
  one.successful_transaction_count + one.failed_transaction_count, one.operation_count,
]);
const LEDGER_HEADS = ['Ledger', 'Closed (UTC)', 'Transactions', 'Operations'];
/** The contract calls of transactions and why they failed, by hash. */
async function wordsOf(hashes) {
  const wanted = [...new Set(hashes)].slice(0, 60);
  return wanted.length === 0 ? {} : read('/explorer/words?tx=' + wanted.join(',')).catch(() => ({}));
}
const failureOf = (words, hash) => words[hash] && words[hash].failure
  ? element('p', { class: 'bad' }, withLinks(words[hash].failure)) : null;
const transactionRows = (found, words) => found.map((one) => [
  transactionLink(one.hash), outcome(one.successful), ledgerLink(one.ledger), partyLink(one.source_account),
  [words[one.hash] && words[one.hash].calls ? withLinks(words[one.hash].calls) : one.operation_count + (one.operation_count === 1 ? ' operation' : ' operations'), failureOf(words, one.hash)].flat(),
  one.fee_charged,
]);
const TRANSACTION_HEADS = ['Transaction', 'Outcome', 'Ledger', 'Source', 'What', 'Fee (stroops)'];

const CONTRACT_OPERATIONS = new Set(['invoke_host_function', 'extend_footprint_ttl', 'restore_footprint']);
/** Describes an operation in one line. */
function operationText(one, words) {
  const told = words[one.transaction_hash];
  if (told && told.calls && CONTRACT_OPERATIONS.has(one.type)) return withLinks(told.calls);
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
const operationRows = (found, words) => found.map((one) => [
  one.type.replaceAll('_', ' '), operationText(one, words), partyLink(one.source_account),
  transactionLink(one.transaction_hash), [outcome(one.transaction_successful), failureOf(words, one.transaction_hash)],
]);
const OPERATION_HEADS = ['Operation', 'What', 'Source', 'Transaction', 'Outcome'];

const eventRows = (found) => found.map((one) => [
  partyLink(one.contractId), (one.topicJson || []).map((topic, at) => [at > 0 ? ' · ' : '', valueOf(topic)]).flat(),
  valueOf(one.valueJson), ledgerLink(one.ledger), transactionLink(one.txHash),
]);
const EVENT_HEADS = ['Contract', 'Topics', 'Value', 'Ledger', 'Transaction'];

/** The latest events of one contract or of all, newest first. */
async function latestEvents(startLedger, contractId) {
  const filters = contractId ? [{ type: 'contract', contractIds: [contractId] }] : [{ type: 'contract' }];
  const { latestLedger } = await call('getHealth');
  let events = [];
  // One call searches at most 10,000 ledgers: the newest first, then further back until there are events.
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
  const [words, ...accounts] = await Promise.all([
    wordsOf(transactions.map((one) => one.hash)),
    ...parties.map((party) => read('/accounts/' + party).catch(() => undefined)),
  ]);
  return {
    title: 'Latest activity',
    content: [
      element('div', { class: 'grid' },
        section('Ledgers', table('Latest ledgers', LEDGER_HEADS, ledgerRows(ledgers), 'None yet.')),
        section('Accounts', table('Recently active accounts', ['Account', 'XLM', 'Other assets'],
          accounts.filter(Boolean).map((one) => [
            partyLink(one.account_id),
            element('span', { class: 'number' }, one.balances.find((line) => line.asset_type === 'native').balance),
            one.balances.filter((line) => line.asset_type !== 'native')
              .map((line) => line.balance + ' ' + assetName(line)).join(', '),
          ]), 'No active accounts yet.'))),
      section('Transactions', table('Latest transactions', TRANSACTION_HEADS, transactionRows(transactions, words), 'None yet.')),
      section('Contract events', table('Latest contract events', EVENT_HEADS, eventRows(events), 'None recently.')),
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
  const words = await wordsOf([one.hash]);
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
        ...(words[one.hash] && words[one.hash].calls ? [['What', withLinks(words[one.hash].calls)]] : []),
        ['Fee', [one.fee_charged + ' of ' + one.max_fee + ' stroops, by ', partyLink(one.fee_account)]],
        ...(facilitator && one.fee_account !== one.source_account ? [['Settlement', element('a', { href: facilitator + '/settlements/' + one.hash }, 'View at the facilitator')]] : []),
        ['Memo', one.memo_type === 'none' ? 'none' : one.memo_type + ': ' + (one.memo === undefined ? '' : one.memo)],
      ]),
      ...traceSections(trace),
      section('Operations', table('Operations', OPERATION_HEADS, operationRows(operations, words), 'None.')),
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
  const words = await wordsOf(transactions.map((found) => found.hash));
  const neighbour = (at, word) => element('a', { href: base + '/ledger/' + at }, word);
  return {
    title: 'Ledger ' + one.sequence,
    content: [
      element('p', {}, neighbour(one.sequence - 1, 'Earlier'), ' · ', neighbour(one.sequence + 1, 'Later')),
      facts([
        ['Hash', element('span', { class: 'id' }, one.hash)],
        ['Previous hash', element('span', { class: 'id' }, one.prev_hash || '')],
        ['Closed (UTC)', when(one.closed_at)],
        ['Operations', one.operation_count],
        ['Total lumens', one.total_coins],
        ['Fee pool', one.fee_pool],
        ['Protocol', one.protocol_version],
      ]),
      section('Transactions', table('Transactions', TRANSACTION_HEADS, transactionRows(transactions, words), 'None.')),
    ],
  };
}

async function accountView(address) {
  const path = '/accounts/' + encodeURIComponent(address);
  const [one, operations] = await Promise.all([
    // A merged account is no longer in the state, but its operations are still in history.
    read(path).catch((error) => { if (!(error instanceof NotThere)) throw error; }),
    records(path + '/operations?order=desc&limit=30&include_failed=true'),
  ]);
  const words = await wordsOf(operations.map((did) => did.transaction_hash));
  const did = section('Operations', table('Operations', OPERATION_HEADS, operationRows(operations, words), 'None.'));
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
`;
