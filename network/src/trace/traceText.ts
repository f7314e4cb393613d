import { shortId } from './contractBook.ts';
import type {
  InvocationTrace,
  TracedCall,
  TracedEntry,
  TracedFailure,
  TracedStep,
  TracedValue,
} from './trace.ts';

/** Maximum number of lines in a tree, and of characters in a line. */
const MAX_LINES = 1_000;
const MAX_LINE = 400;

/** Addresses in text. */
const ADDRESS = /\b[GC][A-Z2-7]{55}\b/g;

/** Names of addresses, for the list below a tree. */
export type AddressNames = ReadonlyMap<string, string>;

/**
 * Draws what happened as a tree, in the style of `anvil -vvvv`. Addresses are shortened and listed in full below the tree.
 * @param story sentences placed before the tree
 * @param fees sentences about the fees paid
 */
export function traceText(
  title: string,
  story: readonly string[],
  trace: InvocationTrace,
  names: AddressNames,
  fees: readonly string[] = [],
): string {
  const lines = new Lines();
  lines.add(title);
  if (trace.failure !== null) {
    for (const line of failureLines(trace.failure)) lines.add(line);
  }
  if (trace.cpuInstructions !== null) {
    const memory =
      trace.memoryBytes === null ? '' : `, ${count(trace.memoryBytes)} bytes of memory`;
    lines.add(`${count(trace.cpuInstructions)} CPU instructions${memory}`);
  }
  section(lines, 'Story', story);
  if (trace.steps.length > 0) {
    lines.add('');
    lines.add('Calls');
    for (const step of trace.steps) drawStep(lines, step, '  ', '  ');
  }
  section(lines, 'Authorization', trace.authorization.map(authorizationLine));
  section(lines, 'Storage', trace.storage.flatMap(entryLines));
  section(lines, 'Fee', fees);
  if (trace.cut) lines.add('\nPart of the trace is not shown.');
  return lines.text(contractNames(trace, names));
}

function section(lines: Lines, title: string, content: readonly string[]): void {
  if (content.length === 0) return;
  lines.add('');
  lines.add(title);
  for (const line of content) lines.add(`  ${line}`);
}

class Lines {
  readonly #lines: string[] = [];
  #left = MAX_LINES;

  add(line: string): void {
    this.#left -= 1;
    if (this.#left < 0) return;
    this.#lines.push(line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line);
  }

  /** The text with shortened addresses, followed by the full ones. */
  text(names: AddressNames): string {
    const lines = [...this.#lines];
    if (this.#left < 0) lines.push(`… ${-this.#left} more lines`);
    const found = new Set<string>();
    const body = lines.map((line) =>
      line.replace(ADDRESS, (address) => {
        found.add(address);
        return shortId(address);
      }),
    );
    if (found.size === 0) return body.join('\n');
    const list = [...found].map((address) => {
      const name = names.get(address);
      return name === undefined ? `  ${address}` : `  ${address}  ${name}`;
    });
    return [...body, '', 'Addresses', ...list].join('\n');
  }
}

function failureLines(failure: TracedFailure): string[] {
  const where =
    failure.contract === null
      ? 'Failed'
      : `Failed in ${contractText(failure.contract)}.${failure.function}`;
  return [`${where}: ${errorText(failure)}`];
}

function errorText({
  code,
  name,
  meaning,
}: Pick<TracedFailure, 'code' | 'name' | 'meaning'>): string {
  return `${code}${name === null ? '' : ` ${name}`}: ${meaning}`;
}

function contractText({ id, name }: { id: string; name: string | null }): string {
  return name === null ? id : `${name} ${id}`;
}

function drawStep(lines: Lines, step: TracedStep, first: string, rest: string): void {
  switch (step.kind) {
    case 'call':
      drawCall(lines, step, first, rest);
      return;
    case 'event': {
      const [name, ...topics] = step.topics;
      const data = step.amount ?? step.data;
      lines.add(`${first}event ${name}(${[...topics, data].join(', ')})`);
      return;
    }
    case 'log':
      lines.add(`${first}log ${step.text}`);
      return;
    case 'error':
      lines.add(`${first}✗ ${errorText(step)}`);
      if (step.text !== '') lines.add(`${rest}  ${step.text}`);
  }
}

function drawCall(lines: Lines, call: TracedCall, first: string, rest: string): void {
  const cost =
    call.cpuInstructions === null
      ? ''
      : `[${count(call.cpuInstructions)} CPU, ${count(call.memoryBytes ?? 0)} B] `;
  const given = call.arguments.map(argumentText).join(', ');
  lines.add(`${first}${cost}${contractText(call.contract)}.${call.function}(${given})`);
  const below: ((first: string, rest: string) => void)[] = [];
  if (call.authorizedBy.length > 0) {
    const by = call.authorizedBy.join(', ');
    below.push((mark) => lines.add(`${mark}authorized by ${by}`));
  }
  for (const step of call.steps) below.push((mark, more) => drawStep(lines, step, mark, more));
  below.push((mark) => lines.add(`${mark}${endText(call)}`));
  for (const [at, draw] of below.entries()) {
    const last = at === below.length - 1;
    draw(`${rest}${last ? '└─ ' : '├─ '}`, `${rest}${last ? '   ' : '│  '}`);
  }
}

function endText({ outcome, result }: TracedCall): string {
  if (outcome === 'failed') return '← failed';
  if (outcome === 'unknown') return '← its end was not recorded';
  return `← ${result === null ? '()' : (result.amount ?? result.value)}`;
}

function argumentText({ name, value, amount }: TracedValue): string {
  const shown = amount ?? value;
  return name === '' ? shown : `${name}: ${shown}`;
}

function authorizationLine({
  by,
  bySource,
  validUntilLedger,
  calls,
}: InvocationTrace['authorization'][number]): string {
  const how = bySource ? ' with the signature of the transaction' : '';
  const until = validUntilLedger === null ? '' : `, until ledger ${validUntilLedger}`;
  return `${by}${how}${until}: ${calls.join(', ') || 'creation of a contract'}`;
}

function entryLines(entry: TracedEntry): string[] {
  const of = entry.contract === null ? '' : `${contractText(entry.contract)} `;
  const kind = entry.kind === 'classic' || entry.kind === 'instance' ? '' : `${entry.kind} `;
  const head = `${entry.access} ${of}${kind}${entry.key}${lifeText(entry)}`;
  if (!entry.changed) return [head];
  return [head, `  ${entry.before ?? 'did not exist'} → ${entry.after ?? 'removed'}`];
}

function lifeText({ liveUntilLedger, liveUntilLedgerBefore }: TracedEntry): string {
  if (liveUntilLedger === null) return '';
  const before = liveUntilLedgerBefore === null ? '' : `, before ${liveUntilLedgerBefore}`;
  return ` (live until ledger ${liveUntilLedger}${before})`;
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}

/** Adds the names of contracts to the given names. */
function contractNames(trace: InvocationTrace, names: AddressNames): AddressNames {
  const all = new Map(names);
  const collect = (steps: readonly TracedStep[]): void => {
    for (const step of steps) {
      if (step.kind !== 'call') continue;
      if (step.contract.name !== null) all.set(step.contract.id, step.contract.name);
      collect(step.steps);
    }
  };
  collect(trace.steps);
  for (const { contract } of trace.storage) {
    if (contract !== null && contract.name !== null) all.set(contract.id, contract.name);
  }
  return all;
}
