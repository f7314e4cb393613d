import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { hostFileName, loadHost } from '../host/index.ts';
import { createSignatureVerifier } from '../transaction/index.ts';
import { ReplayError } from './replayError.ts';
import { closedLedgers, type ReplayFile, replayFiles } from './replayFiles.ts';
import { type LedgerVerdict, type ReplayOptions, replayLedgers } from './replayLedgers.ts';

/** Counts of one folder. */
interface FolderCount {
  files: number;
  passed: number;
  failed: number;
  transactions: number;
}

/** Collects verdicts by folder. */
class ReplayReport {
  readonly #folders = new Map<string, FolderCount>();

  add({ folder }: ReplayFile, verdicts: readonly LedgerVerdict[]): void {
    const count = this.#folders.get(folder) ?? { files: 0, passed: 0, failed: 0, transactions: 0 };
    count.files += 1;
    for (const { difference, transactions } of verdicts) {
      if (difference === undefined) count.passed += 1;
      else count.failed += 1;
      count.transactions += transactions;
    }
    this.#folders.set(folder, count);
  }

  get failed(): number {
    return this.#sum('failed');
  }

  /** A table by folder, with the totals as the last line. */
  lines(): string[] {
    const rows = [...this.#folders].map(([folder, count]) => [
      folder,
      ...[count.files, count.transactions, count.passed, count.failed].map(String),
    ]);
    const table = [['folder', 'files', 'transactions', 'passed', 'failed'], ...rows];
    const widths = (table[0] ?? []).map((_, at) =>
      Math.max(...table.map((row) => row[at]?.length ?? 0)),
    );
    return [
      ...table.map((row) => row.map((cell, at) => align(cell, widths[at] ?? 0, at)).join('  ')),
      `${this.#sum('passed')} passed, ${this.failed} failed`,
    ];
  }

  #sum(field: keyof FolderCount): number {
    return [...this.#folders.values()].reduce((sum, count) => sum + count[field], 0);
  }
}

/** Describes the first difference of a ledger in one line. */
function failureLine(file: ReplayFile, { ledgerSeq, difference }: LedgerVerdict): string {
  if (difference === undefined) return '';
  const { path, expected, got } = difference;
  return `${file.path} ${file.name} ledger ${ledgerSeq}: ${path}: expected ${expected}, got ${got}`;
}

function align(cell: string, width: number, column: number): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}

/** The network on which stellar-core's tests run. */
const TEST_PASSPHRASE = '(V) (;,,;) (V)';
/** The protocols that have a host. */
const PROTOCOLS: readonly number[] = [27, 28];
/** The protocol whose captures come from a host older than its release, so that its metering differs. */
const UNMETERED_PROTOCOL = 28;

interface Command {
  readonly paths: readonly string[];
  readonly passphrase: string;
  readonly protocol: number;
  readonly verbose: boolean;
}

async function main(args: readonly string[]): Promise<number> {
  const command = parse(args);
  const files = replayFiles(command.paths);
  const moduleFile = new URL(`../../host/${hostFileName(command.protocol)}`, import.meta.url);
  const options: ReplayOptions = {
    networkId: createHash('sha256').update(command.passphrase).digest(),
    host: await loadHost(fileURLToPath(moduleFile), 'all'),
    verify: createSignatureVerifier(),
    compareDiagnostics: command.protocol !== UNMETERED_PROTOCOL,
  };
  const report = new ReplayReport();
  for (const file of files) {
    const verdicts = replayFile(file, options);
    report.add(file, verdicts);
    tell(file, verdicts, command.verbose);
  }
  for (const line of report.lines()) console.log(line);
  return report.failed === 0 ? 0 : 1;
}

function replayFile(file: ReplayFile, options: ReplayOptions): LedgerVerdict[] {
  const ledgers = [...closedLedgers(readFileSync(file.path))];
  if (ledgers.length === 0) throw new ReplayError('empty_file', file.path);
  return replayLedgers(ledgers, options);
}

function tell(file: ReplayFile, verdicts: readonly LedgerVerdict[], verbose: boolean): void {
  for (const verdict of verdicts) {
    if (verdict.difference !== undefined) console.log(failureLine(file, verdict));
    else if (verbose) console.log(`${file.path} ${file.name} ledger ${verdict.ledgerSeq}: passed`);
  }
}

function parse(args: readonly string[]): Command {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      passphrase: { type: 'string', default: TEST_PASSPHRASE },
      protocol: { type: 'string', default: '27' },
      verbose: { type: 'boolean', default: false },
    },
  });
  const protocol = Number(values.protocol);
  if (positionals.length === 0) throw new ReplayError('bad_usage');
  if (!PROTOCOLS.includes(protocol)) throw new ReplayError('bad_protocol', values.protocol);
  return { paths: positionals, passphrase: values.passphrase, protocol, verbose: values.verbose };
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
