import { rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  type AccountsOption,
  DEFAULT_PROTOCOL,
  type LedgerOptions,
  type LedgerUrls,
  type Limits,
  LimitsError,
  type LocalAccount,
  type RunningLedger,
  type SimulationTrace,
  startLedger,
  type TransactionTrace,
} from '../../network/src/index.ts';
import type { ServiceFile } from '../machine/index.ts';
import { STELLAR_TESTNET } from '../protocol/index.ts';
import { CliError } from './cliError.ts';
import type { LedgerCommand, NetworkOptions } from './commandOptions.ts';
import { columns, type Report } from './report.ts';
import type { Session } from './session.ts';
import { requireWritable } from './stateFile.ts';

const DEFAULT_XLM = '10000';

/**
 * Reads `--accounts` and `--balance`; the network checks the numbers.
 * @throws CliError if `--balance` is given alone
 */
function accountsOption({
  accounts,
  balance,
}: NetworkOptions): Required<AccountsOption> | undefined {
  if (accounts !== undefined) {
    const count = /^\d{1,9}$/.test(accounts) ? Number(accounts) : Number.NaN;
    return { count, balance: balance ?? DEFAULT_XLM };
  }
  if (balance === undefined) return undefined;
  throw new CliError('usage', '--balance needs --accounts: it is the balance of each account.');
}

/** Prints funded accounts with their secrets, only on stdout and never in the log. */
function printAccounts(
  accounts: readonly LocalAccount[],
  { balance }: Required<AccountsOption>,
  report: Report,
): void {
  const rows = columns(accounts.map(({ address, secret }) => [address, secret]));
  const text = `\nFunded accounts, with ${balance} XLM each when created\n\n${rows}

  Anyone who knows the seed can derive these keys. Use them on this network only.`;
  report.say(text, 'accounts', { balance, accounts });
}

export interface EmbeddedNetwork {
  readonly ledger: RunningLedger;
  readonly urls: LedgerUrls;
  /** The network's entry in the discovery file. */
  readonly service: ServiceFile['network'];
  readonly certificateAuthorityFile: string;
}

/**
 * Starts the embedded network, and prints its port if it is not the configured one.
 * @param facilitatorUrl the facilitator on it, once there is one
 * @param onReachable called when it answers over HTTP; whatever this opens is closed before the network
 */
export async function startNetwork(
  { folder, closers, logger, report }: Session,
  options: NetworkOptions & Pick<LedgerCommand, 'port' | 'host' | 'passphrase' | 'fork' | 'at'>,
  facilitatorUrl: () => string | undefined = () => undefined,
  onReachable: NonNullable<LedgerOptions['onReachable']> = async () => {},
): Promise<EmbeddedNetwork> {
  const { close, passphrase, protocol, seed, port, fork, at } = options;
  if (at !== undefined && fork === undefined) {
    throw new CliError('usage', '--at needs --fork: it names the ledger to fork from.');
  }
  const accounts = accountsOption(options);
  const costReport = options.costReport === undefined ? undefined : resolve(options.costReport);
  if (costReport !== undefined) await requireWritable(costReport, 'The cost report');
  const limits = options.limits === undefined ? undefined : await readLimits(options.limits);
  const inMemory = options.inMemory || fork !== undefined;
  let started: RunningLedger | undefined;
  closers.add({ close: async () => started?.close() });
  const ledger = await startLedger({
    port,
    busyPort: 'move',
    ...(options.host === undefined ? {} : { host: options.host }),
    ...(inMemory ? {} : { dataFolder: folder }),
    ...(close ? { close } : {}),
    ...(protocol === undefined ? {} : { protocol }),
    ...(passphrase === undefined ? {} : { passphrase }),
    ...(fork === undefined ? {} : { fork: { rpcUrl: fork, ...(at === undefined ? {} : { at }) } }),
    ...(limits === undefined ? {} : { limits }),
    ...(seed === undefined ? {} : { seed }),
    ...(accounts === undefined ? {} : { accounts }),
    ...(options.autoImpersonate ? { autoImpersonate: true } : {}),
    ...(options.timeBounds === undefined ? {} : { timeBounds: options.timeBounds }),
    facilitatorUrl,
    onReachable,
    ...(costReport === undefined ? {} : { costReport }),
    ...(options.trace === undefined
      ? {}
      : { trace: { of: options.trace, onTrace: (trace) => showTrace(report, trace) } }),
    onFault: (fault) => logger.error({ fault: fault.message }, 'the network failed'),
  }).catch(refuseRange);
  started = ledger;
  const { urls, certificateAuthority } = ledger;
  if (!urls || !certificateAuthority) throw new CliError('failed', 'The network has no port.');
  if (port !== 0 && urls.port !== port) {
    const text = `Port ${port} is in use. The network is on port ${urls.port}.`;
    report.say(text, 'busy_port', { asked: port, port: urls.port });
  }
  if (options.host !== undefined) {
    const text = `The network also listens on ${options.host}, port ${urls.port}. Everybody who can reach it controls the network: balances, time and state. Use it only where you trust all of them.`;
    report.say(text, 'open_host', { host: options.host, port: urls.port });
  }
  if (!inMemory && protocol === undefined) await tellOlderProtocol(ledger, folder, report);
  if (accounts !== undefined) printAccounts(ledger.fundedAccounts, accounts, report);
  const file = certificateAuthority.file ?? (await keepForNow(folder, certificateAuthority.pem));
  if (certificateAuthority.file === null) closers.add({ close: () => rmSync(file) });
  return {
    ledger,
    urls,
    certificateAuthorityFile: file,
    service: {
      id: STELLAR_TESTNET,
      passphrase: ledger.passphrase,
      embedded: true,
      rpcUrl: urls.rpc,
      rpcTlsUrl: urls.rpcTls,
      certificateAuthorityFile: file,
      horizonUrl: urls.horizon,
      friendbotUrl: urls.friendbot,
    },
  };
}

/** Reports that the network runs an older protocol than testnet, and how to upgrade it, which nothing else would show. */
async function tellOlderProtocol(
  ledger: RunningLedger,
  folder: string,
  report: Report,
): Promise<void> {
  const { protocolVersion } = (await ledger.call('getNetwork')) as { protocolVersion: unknown };
  const protocol = Number(protocolVersion);
  if (protocol >= DEFAULT_PROTOCOL) return;
  const text = `The network in ${folder} runs protocol ${protocol}; testnet runs ${DEFAULT_PROTOCOL}. To upgrade it, add --protocol ${DEFAULT_PROTOCOL}.`;
  report.say(text, 'older_protocol', { protocol, testnet: DEFAULT_PROTOCOL });
}

/** With `--json`, prints everything except the text, which repeats it. */
function showTrace(report: Report, { text, ...facts }: TransactionTrace | SimulationTrace): void {
  report.say(`\n${text}\n`, 'trace', facts);
}

/** @throws CliError for a number that the network refuses; otherwise the original error */
function refuseRange(error: unknown): never {
  if (error instanceof RangeError || error instanceof LimitsError)
    throw new CliError('usage', error.message);
  throw error;
}

/** @throws CliError for a file that is not JSON */
async function readLimits(which: string): Promise<Limits> {
  if (which === 'testnet' || which === 'unlimited') return which;
  try {
    return JSON.parse(await readFile(which, 'utf8')) as Limits;
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : 'not JSON';
    throw new CliError('usage', `The limits in ${which} cannot be read (${why}).`, {
      cause: error,
    });
  }
}

/** A network in memory leaves no files, but Node needs the certificate authority in a file. */
async function keepForNow(folder: string, pem: string): Promise<string> {
  const file = join(folder, `certificate-authority-${process.pid}.pem`);
  await writeFile(file, pem, { mode: 0o600 });
  return file;
}
