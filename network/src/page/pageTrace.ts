/** The part of the script that shows a trace. */
export const PAGE_TRACE = `
/** A text with addresses as links. */
function withLinks(text) {
  return String(text).split(/\\b([GC][A-Z2-7]{55})\\b/).map((part, at) => (at % 2 ? partyLink(part) : part));
}
const errorText = (one) => one.code + (one.name ? ' ' + one.name : '') + ': ' + one.meaning;
function contractName({ id, name }) {
  return [name ? name + ' ' : '', partyLink(id)];
}
/** A list as a tree. */
const listed = (items) => element('ul', { class: 'tree' }, items.map((item) => element('li', {}, item)));
const costText = (one) => one.cpuInstructions.toLocaleString('en') + ' CPU instructions, ' +
  (one.memoryBytes || 0).toLocaleString('en') + ' bytes of memory';
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
  const cost = call.cpuInstructions === null ? [] : [element('span', { class: 'soft' }, ' ' + costText(call))];
  return [contractName(call.contract), '.' + call.function + '(', given, ')', cost, listed(within)].flat(4);
}
/** Why a transaction failed: the call in which the failure began. */
function failureContent(failure) {
  const where = failure.contract ? [contractName(failure.contract), '.' + failure.function, ' '] : [];
  return element('p', {}, where.flat(), element('span', { class: 'bad' }, errorText(failure)));
}
const lifeText = (one) => one.liveUntilLedger === null ? '' : one.liveUntilLedger +
  (one.liveUntilLedgerBefore === null ? '' : ', before ' + one.liveUntilLedgerBefore);
function storageRows(entries) {
  return entries.map((one) => [
    one.access, one.contract ? contractName(one.contract) : '', withLinks(one.key), element('span', { class: 'number' }, one.kind), lifeText(one),
    ...(one.changed ? [withLinks(one.before || 'did not exist'), withLinks(one.after || 'removed')]
      : [element('span', { class: 'soft number' }, 'unchanged'), '']),
  ]);
}
function authorizationRows(given) {
  return given.map((one) => [
    partyLink(one.by), one.calls.map((call, at) => [at > 0 ? ', ' : '', withLinks(call)]).flat(2),
    one.bySource ? 'signature of the transaction' : one.validUntilLedger === null ? '' : 'until ledger ' + one.validUntilLedger,
  ]);
}
const feeNames = [['inclusion', 'for inclusion'], ['resources', 'for resources'], ['refundable', 'for rent and events'], ['rent', 'of which for rent']];
function feeRows(fees) {
  return feeNames.flatMap(([name, words]) => fees[name] === null ? [] : [[words, fees[name] + ' stroops']]);
}
/** The flame graph of a transaction: as an image, it cannot run or load anything. */
function flameSection(trace) {
  const measured = (steps) => steps.some((one) => one.kind === 'call' && one.cpuInstructions !== null);
  if (!trace.hash || !measured(trace.steps)) return null;
  const address = base + '/tx/' + trace.hash + '/flame.svg';
  return section('CPU instructions by call', element('a', { href: address, class: 'flame' },
    element('img', { src: address, alt: 'Flame graph: the wider a call, the more CPU instructions it consumed' })));
}
/** What a transaction or simulation did, in the same tree as in a terminal. */
function traceSections(trace) {
  if (!trace) return [];
  const measured = trace.cpuInstructions === null ? null : element('p', { class: 'soft' }, costText(trace));
  return [
    trace.failure ? section('Why it failed', failureContent(trace.failure)) : null,
    trace.story.length > 0 ? section('Story', element('ol', {}, trace.story.map((line) => element('li', {}, withLinks(line))))) : null,
    trace.steps.length > 0 ? section('Calls', listed(trace.steps.map(stepContent)), measured) : null,
    flameSection(trace),
    trace.authorization.length > 0 ? section('Authorization',
      table('Authorization', ['By', 'Calls', 'Valid'], authorizationRows(trace.authorization))) : null,
    trace.storage.length > 0 ? section('State before and after',
      table('State before and after', ['Access', 'Contract', 'Key', 'Kind', 'Live until ledger', 'Before', 'After'], storageRows(trace.storage))) : null,
    trace.fees ? section('Fee breakdown', facts(feeRows(trace.fees))) : null,
  ];
}
`;
