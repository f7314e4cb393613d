import { webcrypto } from 'node:crypto';
import type {
  Budget,
  CallResult,
  Consent,
  Purse,
  PurseRequest,
  ReceiptPage,
} from '../../mcp/pay/purse.ts';
import {
  formatDecimalAmount,
  parseDecimalAmount,
  quoted,
  STELLAR_TESTNET,
  USDC_CONTRACT,
} from '../../protocol/index.ts';
import {
  CannotPayError,
  connectRpc,
  fetchTransport,
  type PaymentOption,
  type PaymentOutcome,
  payForResource,
  paymentOutcome,
  type SentPayment,
  type SorobanRpc,
  webPlatform,
  X402Error,
} from '../../sdk/exact/index.ts';
import { type Ask, readAnswer, readRequest, send } from './exchange.ts';
import { balanceOf, limitsOf, type Payer, readLimits, whyNot } from './payer.ts';
import { type Entry, ReceiptBook } from './receiptBook.ts';
import { receiptOf, sumsOf } from './receipts.ts';
import { Refusal } from './refusal.ts';

export interface PurseOptions {
  readonly payer: Payer;
  /** File of the receipts. */
  readonly book: string;
  /** Looked up for each call: a service that is started later is found. @throws Refusal */
  readonly findRpc: () => Promise<string>;
  readonly allowUnlimited: boolean;
  /** Atomic units. */
  readonly askAbove: bigint;
  /** Most atomic units in 24 hours, by the receipts; `undefined` counts nothing. */
  readonly ceiling: bigint | undefined;
}

const DAY_MS = 86_400_000;
/** How long a payment that the seller did not tell of is waited for, before it is called undecided. */
const DECIDED_WITHIN_MS = 8_000;
const LOOK_EVERY_MS = 500;
/** Undecided payments that one call looks up. */
const MOST_LOOKED_UP = 20;

const UNPAID = { receipt: null, redirect: null, status: null, body: null } as const;
const NOTHING_PAID = 'Nothing was paid.';

/** The purse of one key. It pays each call once at most, and tells what the ledger says of it. */
export class AccountPurse implements Purse {
  readonly #options: PurseOptions;
  readonly #book: ReceiptBook;
  /** Reserved under the ceiling while it is signed: nothing of it has left. */
  readonly #signing = new Set<{ readonly amount: bigint }>();

  constructor(options: PurseOptions) {
    this.#options = options;
    this.#book = new ReceiptBook(options.book);
  }

  async call(request: PurseRequest, consent: Consent, signal: AbortSignal): Promise<CallResult> {
    try {
      const most = parseDecimalAmount(request.maxAmount);
      if (most === undefined || most <= 0n) {
        throw new Refusal('invalid_request', 'maxAmount is USDC above zero, such as "0.01".');
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
    const { payer } = this.#options;
    return {
      payer,
      signal,
      keep: (entry) => this.#book.keep(entry),
      approve: (option, ask, rpc) => this.#approve(option, ask, consent, rpc),
      reserve: (amount) => this.#reserve(amount),
    };
  }

  /**
   * A payment for the same request that is not decided yet stands in the way of another one, and one that
   * was undecided when it was told is told first.
   */
  async #earlier({ call }: Ask, rpc: SorobanRpc): Promise<CallResult | undefined> {
    for (const entry of await this.#book.entries()) {
      if (entry.call !== call || entry.outcome !== 'unknown' || entry.delivered) continue;
      const now = await this.#lookUp(entry, rpc);
      if (now.outcome === 'not_settled') continue;
      const receipt = receiptOf(now);
      if (now.outcome === 'unknown') {
        const message = `An earlier payment of ${receipt.amount} USDC for this same call is undecided: it can settle up to ledger ${receipt.expirationLedger}. ${NOTHING_PAID.replace('paid', 'paid now')} Look at x402_receipts and call again later.`;
        return { ...UNPAID, outcome: 'unknown', code: 'earlier_payment_unknown', message, receipt };
      }
      const message = `An earlier payment of ${receipt.amount} USDC for this same call has settled after all. Nothing was paid now. Call again only if you want to pay once more.`;
      return { ...UNPAID, outcome: 'settled', code: 'earlier_payment_settled', message, receipt };
    }
    return undefined;
  }

  async #lookUpOpen(rpc: SorobanRpc): Promise<void> {
    const open = (await this.#book.entries()).filter(({ outcome }) => outcome === 'unknown');
    for (const entry of open.slice(0, MOST_LOOKED_UP)) await this.#lookUp(entry, rpc);
  }

  async #lookUp(entry: Entry, rpc: SorobanRpc): Promise<Entry> {
    const now = decided(entry, await paymentOutcome(entry.sent, rpc).catch(() => UNKNOWN));
    if (now.outcome !== 'unknown') await this.#book.keep(now).catch(() => undefined);
    return now;
  }

  /** Whether this may be paid, before anything is signed. @throws Refusal */
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
        : `The seller asks ${price} USDC. Above ${formatDecimalAmount(askAbove)} a person must agree, and this client cannot ask one (MCP elicitation). A person can allow it by starting the server with --ask-above ${price}.`,
    );
  }

  /** Counts an amount under the ceiling. @returns gives it back @throws Refusal */
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

const UNKNOWN: PaymentOutcome = { moneyMoved: 'unknown' };

/** What left since a time and did not turn out never to settle. */
function spentSince(entries: readonly Entry[], since: number): bigint {
  return entries
    .filter(({ outcome, time }) => outcome !== 'not_settled' && Date.parse(time) > since)
    .reduce((sum, { sent }) => sum + sent.amount, 0n);
}

function decided(entry: Entry, outcome: PaymentOutcome): Entry {
  if (outcome.moneyMoved === 'unknown') return entry;
  if (outcome.moneyMoved === 'no') return { ...entry, outcome: 'not_settled', transaction: '' };
  const { transaction } = outcome;
  return { ...entry, outcome: 'settled', transaction };
}

/** A query may hold a key of the seller's. */
function shownUrl({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

interface CallMeans {
  readonly payer: Payer;
  readonly signal: AbortSignal;
  keep(entry: Entry): Promise<void>;
  approve(option: PaymentOption, ask: Ask, rpc: SorobanRpc): Promise<void>;
  reserve(amount: bigint): Promise<() => void>;
}

/** One call of a tool, from the first request to what the ledger says. */
class Call {
  readonly #ask: Ask;
  readonly #most: bigint;
  readonly #rpc: SorobanRpc;
  readonly #means: CallMeans;
  #entry: Entry | undefined;
  /** The answer to the request that carried the payment. */
  #paid: Response | undefined;

  constructor(ask: Ask, most: bigint, rpc: SorobanRpc, means: CallMeans) {
    this.#ask = ask;
    this.#most = most;
    this.#rpc = rpc;
    this.#means = means;
  }

  async run(): Promise<CallResult> {
    const reserved: { giveBack: () => void } = { giveBack: () => {} };
    const { payer, signal, approve, reserve } = this.#means;
    try {
      const { response } = await payForResource((headers) => this.#send(headers), {
        signer: payer.signer,
        rpc: this.#rpc,
        platform: webPlatform(webcrypto as unknown as Parameters<typeof webPlatform>[0]),
        now: Date.now,
        network: STELLAR_TESTNET,
        maxAmount: this.#most,
        allowedAssets: [USDC_CONTRACT],
        signal,
        beforeSigning: async (option) => {
          await approve(option, this.#ask, this.#rpc);
          reserved.giveBack = await reserve(option.amount);
        },
        beforeSending: async (payment) => {
          await this.#note(payment);
          reserved.giveBack();
        },
      });
      return this.#entry === undefined ? await this.#free(response) : await this.#settled(response);
    } catch (error) {
      return await this.#failed(error);
    } finally {
      reserved.giveBack();
    }
  }

  async #send(headers: Readonly<Record<string, string>>): Promise<Response> {
    const paying = this.#entry !== undefined;
    if (!paying) return dropTerms(await send(this.#ask, headers, this.#means.signal));
    this.#paid = undefined;
    this.#paid = await send(this.#ask, headers, undefined);
    return this.#paid;
  }

  /** Written down before it leaves: a process that ends in the middle leaves an undecided payment, not none. */
  async #note(sent: SentPayment): Promise<void> {
    const { method, url, call } = this.#ask;
    const time = new Date().toISOString();
    const entry: Entry = {
      ...{ time, call, method, url: shownUrl(url), sent },
      ...{ outcome: 'unknown', transaction: '', delivered: false },
    };
    await this.#means.keep(entry);
    this.#entry = entry;
  }

  async #free(response: Response): Promise<CallResult> {
    const redirect = redirectOf(response);
    const body = await readAnswer(response);
    const message =
      redirect === null
        ? 'The seller asked for no payment, and nothing was paid.'
        : `It redirects to ${quoted(redirect, 500)}, and was not followed there: call that URL if it is where you want to pay. ${NOTHING_PAID}`;
    const code = redirect === null ? null : 'redirected';
    return {
      outcome: 'free',
      code,
      message,
      status: response.status,
      body,
      redirect,
      receipt: null,
    };
  }

  async #settled(response: Response): Promise<CallResult> {
    const body = await readAnswer(response);
    const entry = await this.#decide({ delivered: true });
    const { status } = response;
    const receipt = receiptOf(entry);
    const paid = `${receipt.amount} USDC to ${receipt.payTo}`;
    const answer = { status, body, redirect: null, receipt };
    if (entry.outcome === 'settled') {
      return { ...answer, outcome: 'settled', code: null, message: `Paid ${paid}.` };
    }
    if (entry.outcome === 'not_settled') {
      const message = `The seller gave the resource, and the payment of ${paid} can never settle.`;
      return { ...answer, outcome: 'not_paid', code: null, message };
    }
    const message = `The seller gave the resource, and the ledger does not show the payment of ${paid}. ${untilWhen(entry)}`;
    return { ...answer, outcome: 'unknown', code: null, message };
  }

  async #failed(error: unknown): Promise<CallResult> {
    if (this.#entry === undefined) return this.#unpaid(error);
    const said = error instanceof X402Error ? error : undefined;
    const named = said !== undefined && 'transaction' in said ? hashIn(said.transaction) : '';
    const entry = await this.#decide({ delivered: false, transaction: named });
    const body = this.#paid === undefined ? null : await readAnswer(this.#paid);
    const receipt = receiptOf(entry);
    const words = said === undefined ? 'The paid request failed.' : quoted(said.message, 500);
    const status = this.#paid?.status ?? null;
    const answer = { status, body, redirect: null, receipt, code: said?.code ?? 'failed' };
    const paid = `${receipt.amount} USDC to ${receipt.payTo}`;
    if (entry.outcome === 'settled') {
      const message = `The ledger shows that ${paid} was paid, and the seller did not give the resource. Do not pay again. ${words}`;
      return { ...answer, outcome: 'settled', code: 'settled_without_resource', message };
    }
    if (entry.outcome === 'not_settled') {
      const message = `The payment of ${paid} can never settle: no money moved. ${words}`;
      return { ...answer, outcome: 'not_paid', message };
    }
    const message = `Whether ${paid} was paid is not known yet. ${untilWhen(entry)} ${words}`;
    return { ...answer, outcome: 'unknown', code: 'outcome_unknown', message };
  }

  #unpaid(error: unknown): CallResult {
    if (error instanceof Refusal) throw error;
    const failed = (code: string, message: string): CallResult => ({
      ...UNPAID,
      ...{ outcome: 'not_paid', code, message: `${message} ${NOTHING_PAID}` },
    });
    if (error instanceof CannotPayError) {
      const { reason, message, detail } = error;
      return failed(reason, `Refused on the ledger: ${message} ${quoted(detail)}.`);
    }
    if (error instanceof X402Error) return failed(error.code, quoted(error.message, 500));
    if (this.#means.signal.aborted) throw error;
    if (error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError')) {
      return failed('no_answer', `${shownUrl(this.#ask.url)} did not answer.`);
    }
    throw error;
  }

  /** Asks the ledger until it says what became of the payment, for some seconds, and writes it down. */
  async #decide(
    known: Pick<Entry, 'delivered'> & { readonly transaction?: string },
  ): Promise<Entry> {
    if (this.#entry === undefined) throw new TypeError('nothing has left');
    const entry: Entry = { ...this.#entry, ...known };
    const until = Date.now() + DECIDED_WITHIN_MS;
    for (;;) {
      const now = decided(entry, await paymentOutcome(entry.sent, this.#rpc).catch(() => UNKNOWN));
      if (now.outcome !== 'unknown' || Date.now() >= until) {
        // What is known is told, also where it cannot be kept: then it is looked up again later.
        await this.#means.keep(now).catch(() => undefined);
        return now;
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }
}

/** The terms are in a header; a body that nobody reads holds the connection. */
function dropTerms(response: Response): Response {
  if (response.status === 402) void response.body?.cancel().catch(() => undefined);
  return response;
}

function redirectOf({ status, headers }: Response): string | null {
  return status >= 300 && status < 400 ? headers.get('location') : null;
}

/** A hash that a seller names, or nothing where it is none. */
function hashIn(text: unknown): string {
  return typeof text === 'string' && /^[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : '';
}

function untilWhen({ sent: { expirationLedger } }: Entry): string {
  return `It counts as spent until the ledger decides, by ledger ${expirationLedger} at the latest: look at x402_receipts, and do not pay again before.`;
}
