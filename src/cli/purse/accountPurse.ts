import type {
  Budget,
  CallResult,
  Consent,
  Purse,
  PurseRequest,
  ReceiptPage,
} from '../../mcp/pay/purse.ts';
import { formatDecimalAmount, parseDecimalAmount } from '../../protocol/index.ts';
import {
  connectRpc,
  fetchTransport,
  type PaymentOption,
  type SorobanRpc,
} from '../../sdk/exact/index.ts';
import { type Ask, type OpenTool, readRequest } from './exchange.ts';
import { lookUp, NOTHING_PAID, shownUrl, UNPAID } from './outcomes.ts';
import { Call, type CallMeans } from './paidCall.ts';
import { balanceOf, limitsOf, type Payer, readLimits, whyNot } from './payer.ts';
import { type Entry, ReceiptBook } from './receiptBook.ts';
import { receiptOf, sumsOf } from './receipts.ts';
import { Refusal } from './refusal.ts';

export interface PurseOptions {
  readonly payer: Payer;
  /** File of the receipts. */
  readonly book: string;
  /** Looked up for each call, so that a service that starts later is found. @throws Refusal */
  readonly findRpc: () => Promise<string>;
  readonly openTool: OpenTool;
  readonly allowUnlimited: boolean;
  /** In atomic units. */
  readonly askAbove: bigint;
  /** Maximum atomic units in 24 hours, according to the receipts; if undefined, nothing is counted. */
  readonly ceiling: bigint | undefined;
}

const DAY_MS = 86_400_000;
/** Maximum number of undecided payments that one call looks up. */
const MOST_LOOKED_UP = 20;

/** The purse of one key. It pays each call at most once, and reports the outcome on the ledger. */
export class AccountPurse implements Purse {
  readonly #options: PurseOptions;
  readonly #book: ReceiptBook;
  /** Amount reserved under the ceiling while payments are signed; none of it has been sent. */
  readonly #signing = new Set<{ readonly amount: bigint }>();

  constructor(options: PurseOptions) {
    this.#options = options;
    this.#book = new ReceiptBook(options.book);
  }

  async call(request: PurseRequest, consent: Consent, signal: AbortSignal): Promise<CallResult> {
    try {
      const most = parseDecimalAmount(request.maxAmount);
      if (most === undefined || most <= 0n) {
        throw new Refusal(
          'invalid_request',
          'maxAmount must be a USDC amount above zero, such as "0.01".',
        );
      }
      const ask = readRequest(request);
      const rpc = await this.#rpc();
      return (
        (await this.#earlier(ask, rpc)) ??
        (await new Call(ask, most, rpc, this.#means(consent, signal)).run())
      );
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return {
        ...UNPAID,
        outcome: 'not_paid',
        code: error.code,
        message: `${error.message} ${NOTHING_PAID}`,
      };
    }
  }

  async budget(): Promise<Budget> {
    const { payer, askAbove, ceiling } = this.#options;
    const rpc = await this.#rpc();
    await this.#lookUpOpen(rpc);
    const key = await limitsOf(payer, rpc);
    const entries = await this.#book.entries();
    const left = ceiling === undefined ? 0n : ceiling - spentSince(entries, Date.now() - DAY_MS);
    return {
      payer: payer.address,
      key: payer.key,
      state: key.state,
      limits: await readLimits(key, rpc),
      balance: await balanceOf(payer, rpc),
      ceiling:
        ceiling === undefined
          ? null
          : {
              limit: formatDecimalAmount(ceiling),
              left: formatDecimalAmount(left > 0n ? left : 0n),
            },
      askAbove: formatDecimalAmount(askAbove),
      sellers: sumsOf(entries),
    };
  }

  async receipts({ limit, offset }: { limit: number; offset: number }): Promise<ReceiptPage> {
    await this.#lookUpOpen(await this.#rpc());
    const entries = await this.#book.entries();
    const receipts = entries.slice(offset, offset + limit).map(receiptOf);
    return { receipts, total: entries.length };
  }

  #means(consent: Consent, signal: AbortSignal): CallMeans {
    const { payer, openTool } = this.#options;
    return {
      payer,
      signal,
      openTool,
      keep: (entry) => this.#book.keep(entry),
      approve: (option, ask, rpc) => this.#approve(option, ask, consent, rpc),
      reserve: (amount) => this.#reserve(amount),
    };
  }

  /**
   * Looks for an earlier payment for the same request. While it is undecided, no other payment is made. If it has settled
   * since, that is reported before anything is paid again.
   */
  async #earlier({ call }: Ask, rpc: SorobanRpc): Promise<CallResult | undefined> {
    for (const entry of await this.#book.entries()) {
      if (entry.call !== call || entry.outcome !== 'unknown' || entry.delivered) continue;
      const now = await this.#lookUp(entry, rpc);
      if (now.outcome === 'not_settled') continue;
      const receipt = receiptOf(now);
      if (now.outcome === 'unknown') {
        const message = `An earlier payment of ${receipt.amount} USDC for this same call is undecided: it can settle until ledger ${receipt.expirationLedger}. ${NOTHING_PAID.replace('paid', 'paid now')} Check x402_receipts and call again later.`;
        return { ...UNPAID, outcome: 'unknown', code: 'earlier_payment_unknown', message, receipt };
      }
      const message = `An earlier payment of ${receipt.amount} USDC for this same call has settled since. Nothing was paid now. Call again only if you want to pay again.`;
      return { ...UNPAID, outcome: 'settled', code: 'earlier_payment_settled', message, receipt };
    }
    return undefined;
  }

  async #lookUpOpen(rpc: SorobanRpc): Promise<void> {
    const open = (await this.#book.entries()).filter(({ outcome }) => outcome === 'unknown');
    for (const entry of open.slice(0, MOST_LOOKED_UP)) await this.#lookUp(entry, rpc);
  }

  async #lookUp(entry: Entry, rpc: SorobanRpc): Promise<Entry> {
    const now = await lookUp(entry, rpc);
    if (now.outcome !== 'unknown') await this.#book.keep(now).catch(() => undefined);
    return now;
  }

  /** Checks whether this may be paid, before anything is signed. @throws Refusal */
  async #approve(
    { amount, payTo }: PaymentOption,
    { method, url }: Ask,
    consent: Consent,
    rpc: SorobanRpc,
  ): Promise<void> {
    const { payer, allowUnlimited, askAbove } = this.#options;
    const key = await limitsOf(payer, rpc);
    const refused = whyNot(key, payer, allowUnlimited);
    if (refused !== undefined) throw new Refusal('key_not_limited', refused);
    if (amount <= askAbove) return;
    const limits = await readLimits(key, rpc);
    const price = formatDecimalAmount(amount);
    const answer = await consent({
      method,
      url: shownUrl(url),
      amount: price,
      payTo,
      left: limits[0]?.left,
    });
    if (answer === 'accepted') return;
    throw new Refusal(
      'not_confirmed',
      answer === 'declined'
        ? `The seller asks ${price} USDC, and the person asked did not agree.`
        : `The seller asks ${price} USDC. Above ${formatDecimalAmount(askAbove)} USDC a person must agree, but this client cannot ask one (MCP elicitation). A person can allow it by starting the server with --ask-above ${price}.`,
    );
  }

  /** Counts an amount under the ceiling. @returns a function that releases it @throws Refusal */
  async #reserve(amount: bigint): Promise<() => void> {
    const { ceiling } = this.#options;
    const reservation = { amount };
    if (ceiling === undefined) return () => {};
    const entries = await this.#book.entries();
    const signing = [...this.#signing].reduce((sum, one) => sum + one.amount, 0n);
    const spent = spentSince(entries, Date.now() - DAY_MS) + signing;
    if (spent + amount > ceiling) {
      throw new Refusal(
        'ceiling_reached',
        `${formatDecimalAmount(spent)} of the ${formatDecimalAmount(ceiling)} USDC that this server pays in 24 hours are spent or undecided, and the seller asks ${formatDecimalAmount(amount)}. A person can start it with a higher --ceiling.`,
      );
    }
    this.#signing.add(reservation);
    return () => void this.#signing.delete(reservation);
  }

  async #rpc(): Promise<SorobanRpc> {
    const transport = fetchTransport((input, init) =>
      fetch(input, { ...init, signal: init?.signal ?? AbortSignal.timeout(30_000) }),
    );
    return connectRpc(await this.#options.findRpc(), transport);
  }
}

/** Returns the sum sent since a given time, without payments that are known not to settle. */
function spentSince(entries: readonly Entry[], since: number): bigint {
  return entries
    .filter(({ outcome, time }) => outcome !== 'not_settled' && Date.parse(time) > since)
    .reduce((sum, { sent }) => sum + sent.amount, 0n);
}
