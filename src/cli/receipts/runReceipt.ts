import { writeFile } from 'node:fs/promises';
import { formatDecimalAmount, oneLine, USDC_CONTRACT } from '../../protocol/index.ts';
import type { ReceiptFile } from '../../protocol/receipts/index.ts';
import {
  type Finding,
  type Judgement,
  ledgerReaders,
  verifyReceiptFile,
  webReaders,
} from '../../sdk/receipts/index.ts';
import { CliError } from '../cliError.ts';
import type { ReceiptOptions, VerifyReceiptOptions } from '../commandOptions.ts';
import { openDataFolder } from '../dataFolder.ts';
import { runningService } from '../serviceFile.ts';
import { listSigned, readSigned, signedFolder } from './signedReceipts.ts';

const MARK = { holds: 'holds', open: 'open', fails: 'FAILS' } as const;

/** Runs `svc-x402 receipt show [ID]`. @throws CliError if no receipt has this id */
export async function showReceipts(
  id: string | undefined,
  { dataDir, json = false }: ReceiptOptions,
): Promise<void> {
  const folder = signedFolder(await openDataFolder(dataDir));
  if (id !== undefined) {
    const file = await fileNamed(folder, id);
    print(json, { id, file }, `${summary(file)}\n\n${described(await verifyReceiptFile(file))}`);
    return;
  }
  const kept = await listSigned(folder);
  const rows = kept.map(({ id: each, file }) => `${each}  ${summary(file)}`);
  const none = 'No seller has signed anything that is kept here.';
  print(json, { receipts: kept }, rows.length === 0 ? none : rows.join('\n'));
}

/** `svc-x402 receipt verify FILE`. Sets the exit status. @throws CliError if it cannot be read */
export async function verifyReceipt(
  named: string,
  { dataDir, json = false, online = false, rpc }: VerifyReceiptOptions,
): Promise<void> {
  const dataFolder = await openDataFolder(dataDir);
  const file = await fileNamed(signedFolder(dataFolder), named);
  const rpcUrl = rpc ?? (online ? await rpcOf(dataFolder) : undefined);
  const judgement = await verifyReceiptFile(file, {
    readers: {
      ...(online ? webReaders() : {}),
      ...(rpcUrl === undefined ? {} : ledgerReaders(rpcUrl)),
    },
  });
  print(json, { file, ...judgement }, `${summary(file)}\n\n${described(judgement)}`);
  if (judgement.verdict !== 'holds') process.exitCode = 1;
}

/** `svc-x402 receipt export ID FILE`. @throws CliError if the file cannot be written */
export async function exportReceipt(
  id: string,
  path: string,
  { dataDir, json = false }: ReceiptOptions,
): Promise<void> {
  const file = await fileNamed(signedFolder(await openDataFolder(dataDir)), id);
  try {
    await writeFile(path, `${JSON.stringify(file, null, 2)}\n`, { flag: 'wx', mode: 0o644 });
  } catch (cause) {
    const exists = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
    const why = exists ? 'already exists' : 'cannot be written';
    throw new CliError('usage', `${path} ${why}. Name another file.`, { cause });
  }
  const words = `Written to ${path}. Anybody can verify it: svc-x402 receipt verify ${path}`;
  print(json, { id, path }, words);
}

async function fileNamed(folder: string, named: string): Promise<ReceiptFile> {
  const read = await readSigned(folder, named);
  if (read.ok) return read.file;
  throw new CliError('usage', `${read.message} See svc-x402 receipt show.`);
}

async function rpcOf(dataFolder: string): Promise<string | undefined> {
  const given = process.env['STELLAR_RPC_URL']?.trim();
  if (given) return given;
  return (await runningService(dataFolder))?.network.rpcUrl;
}

function summary({ paidAt, method, url, paid }: ReceiptFile): string {
  const { asset, amount, payTo } = paid;
  const sum =
    asset === USDC_CONTRACT
      ? `${formatDecimalAmount(BigInt(amount))} USDC`
      : `${amount} units of ${oneLine(asset)}`;
  const time = new Date(paidAt * 1_000);
  const when = Number.isNaN(time.getTime()) ? 'at an unknown time' : time.toISOString();
  return `${when}  ${sum} to ${oneLine(payTo)} for ${oneLine(method)} ${oneLine(url)}`;
}

const TITLES: readonly (readonly [Finding['where'], string])[] = [
  ['file', 'From the file alone'],
  ['web', 'From the web'],
  ['ledger', 'From the ledger'],
];

function described({ verdict, findings }: Judgement): string {
  const parts = TITLES.map(([where, title]) => {
    const lines = findings
      .filter((finding) => finding.where === where)
      .map((finding) => `  ${MARK[finding.verdict].padEnd(6)} ${finding.words}`);
    return [`${title}:`, ...(lines.length === 0 ? ['  nothing to ask'] : lines)].join('\n');
  });
  const end = {
    holds: 'What the seller signed holds. Lines with "open" were not shown.',
    open: 'There was nothing that could be verified.',
    fails: 'Something that the seller signed does not hold.',
  }[verdict];
  return `${parts.join('\n')}\n\n${end}`;
}

function print(json: boolean, value: object, text: string): void {
  process.stdout.write(`${json ? JSON.stringify(value) : text}\n`);
}
