import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { hostFileName, loadHost } from '../host/index.ts';
import { createSignatureVerifier } from '../transaction/index.ts';
import { ReplayError } from './replayError.ts';
import { closedLedgers, type ReplayFile, replayFiles } from './replayFiles.ts';
import { type LedgerVerdict, type ReplayOptions, replayLedgers } from './replayLedgers.ts';
import { failureLine, ReplayReport } from './report.ts';

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
