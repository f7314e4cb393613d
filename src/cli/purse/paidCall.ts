import { webcrypto } from 'node:crypto';
import type { CallResult, Exchange } from '../../mcp/pay/purse.ts';
import { quoted, STELLAR_TESTNET, USDC_CONTRACT } from '../../protocol/index.ts';
import {
  CannotPayError,
  type PaymentOption,
  payForResource,
  type SentPayment,
  type SorobanRpc,
  webPlatform,
  X402Error,
} from '../../sdk/exact/index.ts';
import { type Ask, type OpenTool, openExchange, readAnswer } from './exchange.ts';
import { lookUp, NOTHING_PAID, shownUrl, UNPAID } from './outcomes.ts';
import type { Payer } from './payer.ts';
import type { Entry } from './receiptBook.ts';
import { receiptOf } from './receipts.ts';
import { Refusal } from './refusal.ts';

/** How long to wait for a payment whose outcome the seller did not report, before it is called undecided. */
const DECIDED_WITHIN_MS = 8_000;
const LOOK_EVERY_MS = 500;

/** The parts of its purse that a call uses. */
export interface CallMeans {
  readonly payer: Payer;
  readonly signal: AbortSignal;
  readonly openTool: OpenTool;
  keep(entry: Entry): Promise<void>;
  approve(option: PaymentOption, ask: Ask, rpc: SorobanRpc): Promise<void>;
  reserve(amount: bigint): Promise<() => void>;
}

/** One paid call, from the first request to the outcome on the ledger. */
export class Call {
  readonly #ask: Ask;
  readonly #most: bigint;
  readonly #rpc: SorobanRpc;
  readonly #means: CallMeans;
  #entry: Entry | undefined;
  /** The response to the request that carried the payment. */
  #paid: Response | undefined;

  constructor(ask: Ask, most: bigint, rpc: SorobanRpc, means: CallMeans) {
    this.#ask = ask;
    this.#most = most;
    this.#rpc = rpc;
    this.#means = means;
  }

  async run(): Promise<CallResult> {
    const reserved: { giveBack: () => void } = { giveBack: () => {} };
    const { payer, signal, approve, reserve, openTool } = this.#means;
    const exchange = await openExchange(this.#ask, openTool);
    try {
      const { response } = await payForResource((headers) => this.#send(exchange, headers), {
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
      await exchange.close();
    }
  }

  async #send(exchange: Exchange, headers: Readonly<Record<string, string>>): Promise<Response> {
    const paying = this.#entry !== undefined;
    if (!paying) return dropTerms(await exchange.send(headers, this.#means.signal));
    this.#paid = undefined;
    this.#paid = await exchange.send(headers, undefined);
    return this.#paid;
  }

  /** Recorded before it is sent, so that a process that ends in between leaves an undecided payment and not none. */
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
        ? 'The seller did not ask for a payment, so nothing was paid.'
        : `It redirects to ${quoted(redirect, 500)}, which was not followed. Call that URL if you want to pay there. ${NOTHING_PAID}`;
    const code = redirect === null ? null : 'redirected';
    return {
      outcome: 'free',
      code,
      message,
      status: this.#statusOf(response),
      body,
      redirect,
      receipt: null,
    };
  }

  async #settled(response: Response): Promise<CallResult> {
    const body = await readAnswer(response);
    const entry = await this.#decide({ delivered: true });
    const status = this.#statusOf(response);
    const receipt = receiptOf(entry);
    const paid = `${receipt.amount} USDC to ${receipt.payTo}`;
    const answer = { status, body, redirect: null, receipt };
    if (entry.outcome === 'settled') {
      return { ...answer, outcome: 'settled', code: null, message: `Paid ${paid}.` };
    }
    if (entry.outcome === 'not_settled') {
      const message = `The seller delivered the resource, but the payment of ${paid} can never settle.`;
      return { ...answer, outcome: 'not_paid', code: null, message };
    }
    const message = `The seller delivered the resource, but the payment of ${paid} is not on the ledger yet. ${untilWhen(entry)}`;
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
    const status = this.#paid === undefined ? null : this.#statusOf(this.#paid);
    const answer = { status, body, redirect: null, receipt, code: said?.code ?? 'failed' };
    const paid = `${receipt.amount} USDC to ${receipt.payTo}`;
    if (entry.outcome === 'settled') {
      const message = `The ledger shows that ${paid} was paid, but the seller did not deliver the resource. Do not pay again. ${words}`;
      return { ...answer, outcome: 'settled', code: 'settled_without_resource', message };
    }
    if (entry.outcome === 'not_settled') {
      const message = `The payment of ${paid} can never settle, so no money moved. ${words}`;
      return { ...answer, outcome: 'not_paid', message };
    }
    const message = `It is not known yet whether ${paid} was paid. ${untilWhen(entry)} ${words}`;
    return { ...answer, outcome: 'unknown', code: 'outcome_unknown', message };
  }

  /** Tools have no status; the status of their response is derived from the result. */
  #statusOf({ status }: Response): number | null {
    return this.#ask.tool === undefined ? status : null;
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

  /** Queries the ledger for the payment's outcome for some seconds, and records it. */
  async #decide(
    known: Pick<Entry, 'delivered'> & { readonly transaction?: string },
  ): Promise<Entry> {
    if (this.#entry === undefined) throw new TypeError('no payment was sent');
    const entry: Entry = { ...this.#entry, ...known };
    const until = Date.now() + DECIDED_WITHIN_MS;
    for (;;) {
      const now = await lookUp(entry, this.#rpc);
      if (now.outcome !== 'unknown' || Date.now() >= until) {
        // A known outcome is returned even if it cannot be stored; it is then looked up again later.
        await this.#means.keep(now).catch(() => undefined);
        return now;
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }
}

/** The terms are in a header, but an unread body would keep the connection busy. */
function dropTerms(response: Response): Response {
  if (response.status === 402) void response.body?.cancel().catch(() => undefined);
  return response;
}

function redirectOf({ status, headers }: Response): string | null {
  return status >= 300 && status < 400 ? headers.get('location') : null;
}

/** Returns the hash that a seller names, or nothing if it is not a hash. */
function hashIn(text: unknown): string {
  return typeof text === 'string' && /^[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : '';
}

function untilWhen({ sent: { expirationLedger } }: Entry): string {
  return `It counts as spent until the ledger decides, by ledger ${expirationLedger} at the latest. Check x402_receipts, and do not pay again before that.`;
}
