import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Payer } from './payer.ts';
import { type Entry, isUndecided, ReceiptBook } from './receiptBook.ts';

/**
 * The receipts of one agent, over rotations of its key. Each key has a file of its own, which processes of version 0.4 read too.
 * Files of other keys of the account belong to the agent if the account is its alone, as those of `svc-x402 agent grant` are;
 * otherwise the payments that the same policies on the ledger limited do, since a rotated key keeps its policies.
 */
export class AgentReceipts {
  readonly #folder: string;
  readonly #payer: Payer;
  readonly #own: ReceiptBook;
  readonly #others = new Map<string, ReceiptBook>();

  constructor(folder: string, payer: Payer) {
    this.#folder = folder;
    this.#payer = payer;
    this.#own = new ReceiptBook(join(folder, this.#nameOf(payer.key)));
  }

  /** Records the state of a payment, and resolves once it is on disk. @throws Refusal */
  async keep(entry: Entry): Promise<void> {
    await this.#own.keep(entry);
  }

  /**
   * Records a payment that is about to be sent, unless another process of this agent recorded one for the same call first: of two
   * lines in one file, every process sees the same one first.
   * @returns the other payment; `undefined` if this one may be sent
   * @throws Refusal
   */
  async claim(entry: Entry): Promise<Entry | undefined> {
    await this.#own.keep(entry);
    const first = (await this.#own.inOrder()).find(
      (one) => one.call === entry.call && isUndecided(one),
    );
    if (first === undefined || first.sent.nonce === entry.sent.nonce) return undefined;
    // It was never sent.
    await this.#own.keep({ ...entry, outcome: 'not_settled' });
    return first;
  }

  /**
   * All payments of the agent, newest first, including those of other processes.
   * @param policies that limit its key on the ledger
   * @throws Refusal
   */
  async entries(policies: readonly string[]): Promise<readonly Entry[]> {
    const merged = new Map<string, Entry>();
    for (const book of await this.#otherBooks()) {
      for (const entry of await book.inOrder()) {
        if (this.#belongs(entry, policies)) merged.set(`${entry.sent.nonce}`, entry);
      }
    }
    for (const entry of await this.#own.inOrder()) merged.set(`${entry.sent.nonce}`, entry);
    return [...merged.values()].sort((a, b) => (a.time < b.time ? 1 : -1));
  }

  #belongs({ policies }: Entry, current: readonly string[]): boolean {
    if (this.#payer.ownsAccount) return true;
    return policies?.some((policy) => current.includes(policy)) ?? false;
  }

  async #otherBooks(): Promise<readonly ReceiptBook[]> {
    if (this.#payer.wallet === undefined) return [];
    const own = this.#nameOf(this.#payer.key);
    const files = await readdir(this.#folder).catch(() => []);
    return files
      .filter((name) => isBookOf(name, this.#payer.address) && name !== own)
      .map((name) => {
        const book = this.#others.get(name) ?? new ReceiptBook(join(this.#folder, name));
        this.#others.set(name, book);
        return book;
      });
  }

  #nameOf(key: string): string {
    return `${this.#payer.address}-${key.slice(0, 8)}.jsonl`;
  }
}

function isBookOf(name: string, address: string): boolean {
  return name.startsWith(`${address}-`) && name.endsWith('.jsonl');
}
