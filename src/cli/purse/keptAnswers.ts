import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { makeFolder } from '../../machine/index.ts';
import type { CallResult } from '../../mcp/pay/purse.ts';
import type { Entry } from './receiptBook.ts';

/** A seller's answer to a payment, without what the receipt says. */
export type Answer = Pick<CallResult, 'code' | 'message' | 'status' | 'body' | 'redirect'>;

const MAX_ANSWERS = 50;
const MAX_BYTES = 64 * 1024 * 1024;
/** After this, the payment is still in the receipts, but what it bought is gone. */
const KEPT_MS = 24 * 60 * 60_000;

const fileSchema = z.object({
  version: z.literal(1),
  until: z.number(),
  answer: z.object({
    code: z.nullable(z.string()),
    message: z.string(),
    status: z.nullable(z.number()),
    redirect: z.nullable(z.string()),
    body: z.nullable(
      z.object({
        type: z.string(),
        bytes: z.number(),
        text: z.nullable(z.string()),
        media: z.array(
          z.object({
            kind: z.enum(['image', 'audio', 'resource']),
            mimeType: z.string(),
            data: z.string(),
          }),
        ),
        file: z.nullable(z.string()),
        cut: z.enum(['no', 'too_long', 'broken']),
      }),
    ),
  }),
});

/**
 * Answers that were paid for and that no client is known to have taken, one file each, readable only by the owner. They are in
 * the data folder, so that another process of the same agent finds them.
 */
export class KeptAnswers {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Keeps an answer for a time, and removes expired and surplus ones. Failures are printed only: the payment is recorded already.
   * @param ms how long it is kept. Default: a day
   */
  async keep(entry: Entry, answer: Answer, ms = KEPT_MS): Promise<void> {
    const path = this.#pathOf(entry);
    try {
      makeFolder(this.#folder);
      await this.#makeRoom();
      const draft = `${path}.${process.pid}`;
      const text = JSON.stringify({ version: 1, until: Date.now() + ms, answer });
      await writeFile(draft, text, { mode: 0o600 });
      await rename(draft, path);
    } catch (error) {
      process.stderr.write(
        `An answer that was paid for cannot be stored in ${path}: ${String(error)}\n`,
      );
    }
  }

  /** Returns the answers that are kept for payments, by nonce. */
  async find(entries: readonly Entry[]): Promise<ReadonlyMap<bigint, Answer>> {
    const files = new Set(await readdir(this.#folder).catch(() => []));
    const found = new Map<bigint, Answer>();
    for (const entry of entries) {
      if (!files.has(nameOf(entry))) continue;
      const answer = await this.#read(this.#pathOf(entry));
      if (answer !== undefined) found.set(entry.sent.nonce, answer);
    }
    return found;
  }

  async remove(entry: Entry): Promise<void> {
    await rm(this.#pathOf(entry), { force: true }).catch(() => undefined);
  }

  async #read(path: string): Promise<Answer | undefined> {
    const text = await readFile(path, 'utf8').catch(() => '');
    const parsed = z.safeParse(fileSchema, parseJson(text));
    return parsed.success && parsed.data.until >= Date.now() ? parsed.data.answer : undefined;
  }

  async #makeRoom(): Promise<void> {
    const files = await Promise.all(
      (await readdir(this.#folder)).map(async (name) => {
        const path = join(this.#folder, name);
        const { size, mtimeMs } = await stat(path).catch(() => ({ size: 0, mtimeMs: 0 }));
        return { path, size, mtimeMs };
      }),
    );
    const newestFirst = files.sort((a, b) => b.mtimeMs - a.mtimeMs);
    let bytes = 0;
    for (const [index, { path, size, mtimeMs }] of newestFirst.entries()) {
      bytes += size;
      const isOld = mtimeMs < Date.now() - KEPT_MS;
      if (isOld || index >= MAX_ANSWERS - 1 || bytes > MAX_BYTES) await rm(path, { force: true });
    }
  }

  #pathOf(entry: Entry): string {
    return join(this.#folder, nameOf(entry));
  }
}

function nameOf({ sent: { payer, nonce } }: Entry): string {
  return `${payer}.${nonce}.json`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
