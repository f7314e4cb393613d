import { webcrypto } from 'node:crypto';
import type { CallResult, CallStep, Exchange, SignedWords } from '../../mcp/pay/purse.ts';
import { quoted, STELLAR_TESTNET, USDC_CONTRACT } from '../../protocol/index.ts';
import type { ReceiptFile } from '../../protocol/receipts/index.ts';
import {
  CannotPayError,
  type PaymentOption,
  payForResource,
  readChallenge,
  type SentPayment,
  type SorobanRpc,
  webPlatform,
  X402Error,
} from '../../sdk/exact/index.ts';
import { keepSigned } from '../receipts/signedReceipts.ts';
import { checkDisplay, type Display, readBody } from './answerBody.ts';
import { type Ask, type OpenTool, openExchange } from './exchange.ts';
import { lookUp, NOTHING_PAID, UNPAID, undecidedInWords } from './outcomes.ts';
import type { Payer } from './payer.ts';
import { type Entry, isUndecided } from './receiptBook.ts';
import { receiptOf } from './receipts.ts';
import { Refusal } from './refusal.ts';

/** How long to wait for a payment whose outcome the seller did not report, before it is called undecided. */
const DECIDED_WITHIN_MS = 8_000;
const LOOK_EVERY_MS = 500;

/** The parts of its purse that a call uses. */
export interface CallMeans {
  readonly payer: Payer;
  readonly display: Display;
  readonly signal: AbortSignal;
  readonly openTool: OpenTool;
  /** Folder of what sellers sign. */
  readonly signed: string;
  onStep(step: CallStep): void;
  keep(entry: Entry): Promise<void>;
  /** Records a payment before it is sent. @throws Refusal if it must not be sent */
  claim(entry: Entry): Promise<void>;
  /** @returns the policies on the ledger that limit the key @throws Refusal */
  approve(option: PaymentOption, ask: Ask, rpc: SorobanRpc): Promise<readonly string[]>;
  reserve(amount: bigint): Promise<() => void>;
}

/** The end of a call. */
export interface CallEnd {
  readonly result: CallResult;
  /** The payment; `undefined` if none was sent. */
  readonly entry: Entry | undefined;
  /** The seller delivered the resource. */
  readonly hasResource: boolean;
}

/** One paid call, from the first request to the outcome on the ledger. */
export class Call {
  readonly #ask: Ask;
  readonly #most: bigint;
  readonly #rpc: SorobanRpc;
  readonly #means: CallMeans;
  #policies: readonly string[] = [];
  #entry: Entry | undefined;
  /** The response to the request without a payment. */
  #asked: Response | undefined;
  /** The response to the request that carried the payment. */
  #paid: Response | undefined;
  #terms: ReceiptFile['paid'] | undefined;

  constructor(ask: Ask, most: bigint, rpc: SorobanRpc, means: CallMeans) {
    this.#ask = ask;
    this.#most = most;
    this.#rpc = rpc;
    this.#means = means;
  }

  async run(): Promise<CallEnd> {
    const reserved: { giveBack: () => void } = { giveBack: () => {} };
    const { payer, signal, approve, reserve, openTool, onStep } = this.#means;
    const exchange = await openExchange(this.#ask, openTool);
    onStep('asking');
    try {
      const { response } = await payForResource((headers) => this.#send(exchange, headers), {
        signer: payer.signer,
        rpc: this.#rpc,
        platform: webPlatform(webcrypto as unknown as Parameters<typeof webPlatform>[0]),
        now: Date.now,
        network: STELLAR_TESTNET,
        maxAmount: this.#most,
        allowedAssets: [USDC_CONTRACT],
        // The payment for a tool is not in a header.
        hasAuthorization: this.#ask.tool === undefined && this.#ask.headers.has('authorization'),
        signal,
        beforeSigning: async (option) => {
          const { scheme, network, asset, payTo, amount } = option.offered;
          this.#terms = { scheme, network, asset, payTo, amount };
          this.#policies = await approve(option, this.#ask, this.#rpc);
          reserved.giveBack = await reserve(option.amount);
        },
        beforeSending: async (payment) => {
          await this.#note(payment);
          reserved.giveBack();
          onStep('paying');
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
    if (!paying) return this.#readTerms(await exchange.send(headers, this.#means.signal));
    this.#paid = undefined;
    this.#paid = await exchange.send(headers, undefined);
    return this.#paid;
  }

  /** Refuses what the client could not show. The terms are in a header, but an unread body would keep the connection busy. */
  #readTerms(response: Response): Response {
    this.#asked = response;
    if (response.status !== 402) return response;
    void response.body?.cancel().catch(() => undefined);
    checkDisplay(declaredType(response), this.#means.display);
    return response;
  }

  /** Recorded before it is sent, so that a process that ends in between leaves an undecided payment and not none. */
  async #note(sent: SentPayment): Promise<void> {
    const { method, url, call } = this.#ask;
    const time = this.#entry?.time ?? new Date().toISOString();
    const entry: Entry = {
      ...{ time, call, method, url: url.href, sent, policies: this.#policies },
      ...{ outcome: 'not_yet', transaction: '', delivered: false, reported: false },
    };
    await this.#means.claim(entry);
    this.#entry = entry;
  }

  async #free(response: Response): Promise<CallEnd> {
    const redirect = redirectOf(response);
    const body = await this.#readBody(response);
    const message =
      redirect === null
        ? 'The seller did not ask for a payment, so nothing was paid.'
        : `It redirects to ${quoted(redirect, 500)}, which was not followed. Call that URL if you want to pay there. ${NOTHING_PAID}`;
    const code = redirect === null ? null : 'redirected';
    const status = this.#statusOf(response);
    const result = { ...UNPAID, outcome: 'free', code, message, status, body, redirect } as const;
    return { result, entry: undefined, hasResource: false };
  }

  async #settled(response: Response): Promise<CallEnd> {
    const body = await this.#readBody(response);
    const entry = await this.#decide();
    const receipt = { ...receiptOf(entry), delivered: true };
    const paid = `${receipt.amount} USDC to ${receipt.payTo}`;
    const signed = await this.#keepSigned(entry, response);
    const answer = {
      ...{ ...UNPAID, code: null, status: this.#statusOf(response), body, receipt },
      ...(signed === undefined ? {} : { signed }),
    };
    return { result: { ...answer, ...deliveredInWords(entry, paid) }, entry, hasResource: true };
  }

  /** Keeps what the seller signed for a resource over HTTP. Whatever it is, it changes nothing about the payment. */
  async #keepSigned(entry: Entry, paid: Response): Promise<SignedWords | undefined> {
    const { tool, method, url } = this.#ask;
    if (tool !== undefined || this.#terms === undefined) return undefined;
    const { outcome, time, transaction, sent } = entry;
    const request = {
      ...{ method, url: url.href, paid: this.#terms, payer: sent.payer },
      paidAt: Math.floor(Date.parse(time) / 1_000),
      // Until the ledger names the transaction, only the seller does.
      transaction: outcome === 'settled' ? transaction : '',
    };
    const kept = await keepSigned(this.#means.signed, request, { asked: this.#asked, paid });
    if (kept === undefined) return undefined;
    const { id, words, judgement } = kept;
    return { id, words, verdict: judgement.verdict, signer: judgement.signer ?? null };
  }

  async #failed(error: unknown): Promise<CallEnd> {
    if (this.#entry === undefined) {
      return { result: this.#unpaid(error), entry: undefined, hasResource: false };
    }
    const said = error instanceof X402Error ? error : undefined;
    const named = said !== undefined && 'transaction' in said ? hashIn(said.transaction) : '';
    const entry = await this.#decide(named);
    const body = this.#paid === undefined ? null : await this.#readBody(this.#paid);
    const receipt = receiptOf(entry);
    const words = said === undefined ? 'The paid request failed.' : quoted(said.message, 500);
    const status = this.#paid === undefined ? null : this.#statusOf(this.#paid);
    const answer = { ...UNPAID, status, body, receipt };
    const paid = `${receipt.amount} USDC to ${receipt.payTo}`;
    const end = (rest: Pick<CallResult, 'outcome' | 'code' | 'message'>): CallEnd => ({
      result: { ...answer, ...rest },
      entry,
      hasResource: false,
    });
    switch (entry.outcome) {
      case 'settled': {
        const message = `The ledger shows that ${paid} was paid, but the seller did not deliver the resource. Do not pay again. ${words}`;
        return end({ outcome: 'settled', code: 'settled_without_resource', message });
      }
      case 'not_settled': {
        const message = `The payment of ${paid} can never settle, so no money moved. ${words}`;
        return end({ outcome: 'not_paid', code: said?.code ?? 'failed', message });
      }
      case 'not_yet':
      case 'unknown': {
        const message = `The seller did not deliver for the payment of ${paid}. ${undecidedInWords(entry)} ${words}`;
        const code = entry.outcome === 'not_yet' ? 'not_settled_yet' : 'outcome_unknown';
        return end({ outcome: entry.outcome, code, message });
      }
    }
  }

  /** Tools have no status; the status of their response is derived from the result. */
  #statusOf({ status }: Response): number | null {
    return this.#ask.tool === undefined ? status : null;
  }

  #readBody(response: Response) {
    const { url, call, tool } = this.#ask;
    return readBody(response, this.#means.display, { url, call, isTool: tool !== undefined });
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
      return failed('no_answer', `${quoted(this.#ask.url.href, 4_000)} did not answer.`);
    }
    throw error;
  }

  /**
   * Queries the ledger for the payment's outcome for some seconds, and records it.
   * @param named hash that the seller named
   */
  async #decide(named = ''): Promise<Entry> {
    if (this.#entry === undefined) throw new TypeError('no payment was sent');
    const entry: Entry = { ...this.#entry, transaction: named };
    const until = Date.now() + DECIDED_WITHIN_MS;
    for (;;) {
      const now = await lookUp(entry, this.#rpc);
      if (!isUndecided(now) || Date.now() >= until) {
        // A known outcome is returned even if it cannot be stored; it is then looked up again later.
        await this.#means.keep(now).catch(() => undefined);
        return now;
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }
}

/** What became of the payment for a resource that was delivered. */
export function deliveredInWords(
  entry: Entry,
  paid: string,
): Pick<CallResult, 'outcome' | 'message'> {
  switch (entry.outcome) {
    case 'settled':
      return { outcome: 'settled', message: `Paid ${paid}.` };
    case 'not_settled': {
      const message = `The seller delivered the resource, but the payment of ${paid} can never settle.`;
      return { outcome: 'not_paid', message };
    }
    case 'not_yet':
    case 'unknown': {
      const message = `The seller delivered the resource. The payment of ${paid} is not on the ledger: ${undecidedInWords(entry)}`;
      return { outcome: entry.outcome, message };
    }
  }
}

/** The media type that the terms name; `undefined` if they cannot be read, which is reported when they are paid. */
function declaredType(response: Response): unknown {
  try {
    const { resource } = readChallenge(response);
    const isObject = typeof resource === 'object' && resource !== null;
    return isObject && 'mimeType' in resource ? resource.mimeType : undefined;
  } catch {
    return undefined;
  }
}

function redirectOf({ status, headers }: Response): string | null {
  return status >= 300 && status < 400 ? headers.get('location') : null;
}

/** Returns the hash that a seller names, or nothing if it is not a hash. */
function hashIn(text: unknown): string {
  return typeof text === 'string' && /^[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : '';
}
