import { createHash } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../machine/index.ts';
import {
  decodeHeaderMessage,
  oneLine,
  PAYMENT_REQUIRED_HEADER,
  PAYMENT_RESPONSE_HEADER,
} from '../../protocol/index.ts';
import {
  collectReceipt,
  MAX_RECEIPT_FILE,
  type PaidRequest,
  type ReceiptFile,
  readReceiptFile,
} from '../../protocol/receipts/index.ts';
import { type Judgement, verifyReceiptFile } from '../../sdk/receipts/index.ts';

/** Files that are kept; of more, the oldest go. */
const MAX_FILES = 1_000;
/** Characters of a header that is read. */
const MAX_HEADER = 64 * 1024;
const ID = /^[0-9a-f]{12}$/;

/** What a seller signed for a payment, after it was kept and looked at. */
export interface SignedReceipt {
  /** `null` if it could not be stored. */
  readonly id: string | null;
  readonly judgement: Judgement;
  /** For a person, on one line. */
  readonly words: string;
}

/** A kept file. */
export interface KeptReceipt {
  readonly id: string;
  readonly file: ReceiptFile;
}

/** Returns the folder of what sellers signed, beside the receipts of payments. */
export function signedFolder(dataFolder: string): string {
  return join(dataFolder, 'receipts', 'signed');
}

/**
 * Keeps what a seller signed, and verifies as much of it as needs no network. Never rejects, and changes nothing about the payment.
 * @param responses to the request without a payment, and to the one with it
 * @returns `undefined` if the seller signed nothing
 */
export async function keepSigned(
  folder: string,
  request: PaidRequest,
  responses: { readonly asked: Response | undefined; readonly paid: Response },
): Promise<SignedReceipt | undefined> {
  const { asked, paid } = responses;
  try {
    const file = collectReceipt(
      request,
      messageIn(asked, PAYMENT_REQUIRED_HEADER),
      messageIn(paid, PAYMENT_RESPONSE_HEADER),
    );
    if (file === undefined) return undefined;
    const id = await store(folder, file).catch(() => null);
    const judgement = await verifyReceiptFile(file);
    return { id, judgement, words: inWords(judgement, id) };
  } catch {
    // The resource was bought: whatever a stranger wrote beside it must not hide it.
    const judgement = { verdict: 'open', signer: undefined, findings: [] } as const;
    return { id: null, judgement, words: 'Reading what the seller signed failed.' };
  }
}

function messageIn(response: Response | undefined, header: string): unknown {
  const value = response?.headers.get(header) ?? '';
  return value.length > MAX_HEADER ? undefined : decodeHeaderMessage(value);
}

/** What is said of it when it was just received. It never says that money moved: the ledger does. */
function inWords({ verdict, signer, findings }: Judgement, id: string | null): string {
  const kept =
    id === null
      ? 'It could not be stored.'
      : `Whom the key speaks for was not asked: svc-x402 receipt verify ${id} --online.`;
  const bad = findings.find((finding) => finding.verdict === 'fails');
  if (bad !== undefined) {
    const where = id === null ? kept : `It is kept: svc-x402 receipt show ${id}.`;
    return `Signed by the seller, and wrong: ${bad.words} ${where}`;
  }
  if (verdict === 'open') {
    const open = findings.find(({ about }) => about === 'receipt' || about === 'offer');
    return `Signed by the seller, and not verified: ${open?.words ?? ''} ${kept}`;
  }
  const holds = (about: string): boolean =>
    findings.some((finding) => finding.about === about && finding.verdict === 'holds');
  const what = !holds('receipt')
    ? 'an offer that fits the payment, and no receipt'
    : holds('offer')
      ? 'an offer and a receipt that fit the payment'
      : 'a receipt that fits the payment, and no offer';
  return `The seller signed ${what}, with ${signer}. ${kept}`;
}

async function store(folder: string, file: ReceiptFile): Promise<string> {
  const text = `${JSON.stringify(file, null, 2)}\n`;
  const id = createHash('sha256').update(text).digest('hex').slice(0, 12);
  const path = join(folder, `${id}.json`);
  makeFolder(join(folder, '..'));
  makeFolder(folder);
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, text, { mode: 0o600 });
  await rename(draft, path);
  await removeOldest(folder);
  return id;
}

async function removeOldest(folder: string): Promise<void> {
  const names = await readdir(folder);
  if (names.length <= MAX_FILES) return;
  for (const { path } of (await newestFirst(folder, names)).slice(MAX_FILES)) {
    await rm(path, { force: true });
  }
}

async function newestFirst(folder: string, names: readonly string[]) {
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: 0 }));
      return { name, path, mtimeMs };
    }),
  );
  return files.sort((a, b) => b.mtimeMs - a.mtimeMs);
}

/** Returns what is kept, newest first. Files that are not receipts are left out. */
export async function listSigned(folder: string): Promise<readonly KeptReceipt[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'));
  const kept: KeptReceipt[] = [];
  for (const { name } of (await newestFirst(folder, names)).slice(0, MAX_FILES)) {
    const id = name.slice(0, -'.json'.length);
    const read = await readSigned(folder, id);
    if (read.ok) kept.push({ id, file: read.file });
  }
  return kept;
}

/** The result of reading a file. */
export type ReadSigned =
  | { readonly ok: true; readonly file: ReceiptFile }
  /** @property message a sentence */
  | { readonly ok: false; readonly message: string };

/** Reads a kept receipt by its id, or a file by its path. */
export async function readSigned(folder: string, named: string): Promise<ReadSigned> {
  const path = ID.test(named) ? join(folder, `${named}.json`) : named;
  const unreadable = (why: string): ReadSigned => ({
    ok: false,
    message: `${oneLine(path)} ${why}`,
  });
  try {
    const { size } = await stat(path);
    // A character of UTF-8 has up to four bytes; whatever is longer is not read.
    if (size > MAX_RECEIPT_FILE * 4) return unreadable('is too long for a receipt.');
    const file = readReceiptFile(await readFile(path, 'utf8'));
    return file === undefined
      ? unreadable('is not a receipt that svc-x402 wrote.')
      : { ok: true, file };
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return unreadable(isMissing ? 'is neither a kept receipt nor a file.' : 'cannot be read.');
  }
}
