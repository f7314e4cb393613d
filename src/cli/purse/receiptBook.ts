import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod/mini';
import { makeFolder } from '../../machine/index.ts';
import type { Outcome } from '../../mcp/pay/purse.ts';
import type { SentPayment } from '../../sdk/exact/index.ts';
import { Refusal } from './refusal.ts';

const amount = z.string().check(z.regex(/^\d{1,39}$/));
const entrySchema = z.object({
  version: z.union([z.literal(1), z.literal(2)]),
  time: z.string(),
  call: z.string(),
  method: z.string(),
  url: z.string(),
  payer: z.string(),
  nonce: z.string().check(z.regex(/^-?\d{1,20}$/)),
  asset: z.string(),
  payTo: z.string(),
  amount,
  signedLedger: z.number(),
  expirationLedger: z.number(),
  outcome: z.enum(['settled', 'not_yet', 'unknown', 'not_settled']),
  transaction: z.string(),
  delivered: z.boolean(),
  reported: z.optional(z.boolean()),
  policies: z.optional(z.array(z.string())),
});

/** A stored payment: no key, no signature, no header and no body. */
export interface Entry {
  readonly time: string;
  /** Identifies the paid request: a hash of its arguments. Entries of version 0.4 left the headers out. */
  readonly call: string;
  readonly method: string;
  /** With its query; without it in entries of version 0.4. */
  readonly url: string;
  readonly sent: SentPayment;
  readonly outcome: Outcome;
  /** Empty if unknown. */
  readonly transaction: string;
  /** The seller's resource was handed to a client that still waited for it. */
  readonly delivered: boolean;
  /** The outcome on the ledger was reported to a caller of this call, not only read by another tool. */
  readonly reported: boolean;
  /** The policies on the ledger that limited the key: they stay the same when the key is rotated. Version 0.4 kept none. */
  readonly policies: readonly string[] | undefined;
}

/** Whether the payment can still settle as far as is known: it counts as spent, and is not made again. */
export function isUndecided({ outcome }: Pick<Entry, 'outcome'>): boolean {
  return outcome === 'not_yet' || outcome === 'unknown';
}

/**
 * The payments of one key. Each change of a payment appends a line, and its last line counts. Several processes may write
 * the file, because each line is a single append.
 */
export class ReceiptBook {
  readonly #path: string;
  readonly #entries = new Map<string, Entry>();
  /** Bytes that were read. */
  #read = 0;
  #reading: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  /** Records the state of a payment, and resolves once it is on disk. @throws Refusal */
  async keep(entry: Entry): Promise<void> {
    await this.#append(`\n${lineOf(entry)}\n`).catch((cause: unknown) => {
      throw unavailable(this.#path, cause);
    });
  }

  /** All payments in the order in which the file first names them, including those of other processes. @throws Refusal */
  async inOrder(): Promise<readonly Entry[]> {
    const reading = this.#reading.then(() => this.#readOn());
    this.#reading = reading.catch(() => undefined);
    await reading.catch((cause: unknown) => {
      throw unavailable(this.#path, cause);
    });
    return [...this.#entries.values()];
  }

  /** The line break before a line ends an incomplete one from an earlier process. */
  async #append(line: string): Promise<void> {
    makeFolder(dirname(this.#path));
    const file = await open(this.#path, 'a', 0o600);
    try {
      await file.appendFile(line);
      await file.sync();
    } finally {
      await file.close();
    }
  }

  /** Reads the lines appended since the last read. */
  async #readOn(): Promise<void> {
    const file = await open(this.#path, 'r').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (file === undefined) return;
    try {
      const { size } = await file.stat();
      const bytes = Buffer.alloc(Math.max(0, size - this.#read));
      const { bytesRead } = await file.read(bytes, 0, bytes.length, this.#read);
      const whole = bytes.subarray(0, bytes.subarray(0, bytesRead).lastIndexOf(0x0a) + 1);
      this.#read += whole.length;
      for (const line of whole.toString('utf8').split('\n')) {
        const entry = readLine(line);
        if (entry !== undefined) this.#entries.set(`${entry.sent.nonce}`, entry);
      }
    } finally {
      await file.close();
    }
  }
}

function unavailable(path: string, cause: unknown): Refusal {
  const reason = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
  const words = `Receipts cannot be stored in ${path}${reason}, and nothing is paid without a receipt.`;
  return new Refusal('receipts_unavailable', words);
}

function lineOf({ sent, ...entry }: Entry): string {
  const { nonce, amount: units, ...payment } = sent;
  return JSON.stringify({
    version: 2,
    ...entry,
    ...payment,
    nonce: `${nonce}`,
    amount: `${units}`,
  });
}

/** A line that a process could not finish is ignored. */
function readLine(line: string): Entry | undefined {
  const parsed = z.safeParse(entrySchema, parseJson(line));
  if (!parsed.success) return undefined;
  const { version, time, call, method, url, outcome, transaction, delivered, ...others } =
    parsed.data;
  const { reported, policies, ...rest } = others;
  const sent = { ...rest, nonce: BigInt(rest.nonce), amount: BigInt(rest.amount) };
  return {
    ...{ time, call, method, url, sent, outcome, transaction, delivered, policies },
    // Version 0.4 reported every outcome that it knew at the end of the call.
    reported: reported ?? (version === 1 && !isUndecided({ outcome })),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
