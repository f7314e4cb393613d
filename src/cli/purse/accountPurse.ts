import { join } from 'node:path';
import type {
  Budget,
  Caller,
  CallResult,
  Consent,
  Handover,
  Purse,
  PurseRequest,
  ReceiptPage,
} from '../../mcp/pay/purse.ts';
import { formatDecimalAmount, parseDecimalAmount } from '../../protocol/index.ts';
import type { LimitedKey } from '../../sdk/agents/index.ts';
import {
  connectRpc,
  fetchTransport,
  type PaymentOption,
  type SorobanRpc,
} from '../../sdk/exact/index.ts';
import { AgentReceipts } from './agentReceipts.ts';
import type { Display } from './answerBody.ts';
import { alreadyInWords, answerOf, isSameCall, paidNowElsewhere } from './earlierCalls.ts';
import { type Ask, type OpenTool, readRequest } from './exchange.ts';
import { type Answer, KeptAnswers } from './keptAnswers.ts';
import { type OpenCall, OpenCalls } from './openCalls.ts';
import { lookUp, NOTHING_PAID, UNPAID, undecidedInWords } from './outcomes.ts';
import { Call, type CallEnd } from './paidCall.ts';
import { balanceOf, limitsOf, type Payer, readLimits, whyNot } from './payer.ts';
import { type Entry, isUndecided } from './receiptBook.ts';
import { receiptOf, sumsOf } from './receipts.ts';
import { Refusal } from './refusal.ts';
import { aborted, until } from './waiting.ts';

export interface PurseOptions {
  readonly payer: Payer;
  /** Folder of the receipts. */
  readonly receipts: string;
  /** Folder of answers that no client has taken. */
  readonly answers: string;
  readonly display: Display;
  /** Looked up for each call, so that a service that starts later is found. @throws Refusal */
  readonly findRpc: () => Promise<string>;
  readonly openTool: OpenTool;
  readonly allowUnlimited: boolean;
  /** In atomic units. */
  readonly askAbove: bigint;
  /** Maximum atomic units in 24 hours, according to the receipts; if undefined, nothing is counted. */
  readonly ceiling: bigint | undefined;
  /** Milliseconds after which a call is answered although its payment still settles. */
  readonly answerWithin: number;
}

const DAY_MS = 86_400_000;
/** Maximum number of undecided payments that one call looks up. */
const MAX_LOOKED_UP = 20;
/**
 * An answer that took longer than this may have found no reader: some clients stop waiting after five seconds and send no
 * cancellation.
 */
const DOUBTFUL_AFTER_MS = 4_000;
/** How long the next call with the same arguments gets a doubtful answer again: about the time in which a model calls again. */
const DOUBTFUL_FOR_MS = 120_000;

/** The purse of one agent. It pays each call at most once, and reports the outcome on the ledger. */
export class AccountPurse implements Purse {
  readonly #options: PurseOptions;
  readonly #receipts: AgentReceipts;
  readonly #answers: KeptAnswers;
  readonly #open = new OpenCalls();
  /** Amount reserved under the ceiling while payments are signed; none of it has been sent. */
  readonly #signing = new Set<{ readonly amount: bigint }>();
  #policies: readonly string[] = [];
  #marking: Promise<unknown> = Promise.resolve();

  constructor(options: PurseOptions) {
    this.#options = options;
    this.#receipts = new AgentReceipts(options.receipts, options.payer);
    this.#answers = new KeptAnswers(options.answers);
  }

  async call(request: PurseRequest, caller: Caller): Promise<CallResult> {
    const began = Date.now();
    try {
      const most = parseDecimalAmount(request.maxAmount);
      if (most === undefined || most <= 0n) {
        throw new Refusal(
          'invalid_request',
          'maxAmount must be a USDC amount above zero, such as "0.01".',
        );
      }
      const ask = readRequest(request);
      for (;;) {
        const open = this.#open.get(ask.call);
        if (open === undefined) {
          return await this.#answer(this.#begin(ask, most, caller), false, began, caller.signal);
        }
        const sent = await Promise.race([open.sent, aborted(caller.signal)]);
        if (sent !== undefined) return await this.#answer(open, true, began, caller.signal);
        // It ended without a payment, so there is nothing to share.
        await open.end.catch(() => undefined);
      }
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
    const key = await this.#limits(rpc);
    await this.#lookUpOpen(rpc);
    const entries = await this.#entries();
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
    const rpc = await this.#rpc();
    await this.#limits(rpc).catch(() => undefined);
    await this.#lookUpOpen(rpc);
    const entries = await this.#entries();
    const receipts = entries.slice(offset, offset + limit).map(receiptOf);
    return { receipts, total: entries.length };
  }

  idle(): Promise<void> {
    return this.#open.ended();
  }

  /** Starts a call, which continues after its caller has left if a payment was sent. */
  #begin(ask: Ask, most: bigint, { consent, signal, onStep }: Caller): OpenCall {
    const { payer, display, openTool } = this.#options;
    return this.#open.begin(ask.call, async (onSent) => {
      const rpc = await this.#rpc();
      await this.#limits(rpc).catch(() => undefined);
      const earlier = await this.#earlier(ask, rpc);
      if (earlier !== undefined) return { result: earlier, entry: undefined, hasResource: false };
      const call = new Call(ask, most, rpc, {
        ...{ payer, display, signal, openTool, onStep },
        signed: join(this.#options.receipts, 'signed'),
        keep: async (entry) => void (await this.#mark(entry.sent.nonce, entry)),
        claim: async (entry) => {
          const first = await this.#receipts.claim(entry);
          if (first !== undefined)
            throw new Refusal('earlier_payment_unknown', paidNowElsewhere(first));
          onSent(entry);
        },
        approve: (option, asked, current) => this.#approve(option, asked, consent, current),
        reserve: (amount) => this.#reserve(amount),
      });
      const end = await call.run();
      await this.#keepAnswer(end);
      return end;
    });
  }

  /** What was paid for is kept until a client has taken it. */
  async #keepAnswer({ result, entry, hasResource }: CallEnd): Promise<void> {
    if (entry === undefined || entry.outcome === 'not_settled') return;
    if (!hasResource && entry.outcome !== 'settled') return;
    await this.#answers.keep(entry, answerOf(result));
  }

  /**
   * Returns the end of a call, or after some time a result that says how far it has come.
   * @param joined the call was begun by another caller
   */
  async #answer(
    open: OpenCall,
    joined: boolean,
    began: number,
    signal: AbortSignal,
  ): Promise<CallResult> {
    const limit = new AbortController();
    const late = (async () => {
      const sent = await open.sent;
      if (sent === undefined) return open.end;
      await until(began + this.#options.answerWithin, limit.signal);
      return sent;
    })();
    try {
      const first = await Promise.race([open.end, late, aborted(signal)]);
      if (first === undefined) throw new Error('the call was cancelled');
      if (!('result' in first)) return await this.#stillSettling(first);
      const { result, entry, hasResource } = first;
      if (entry === undefined) return result;
      const handover = this.#handover(entry, began, { result, hasResource });
      if (!joined) return { ...result, handover };
      return { ...result, ...alreadyInWords(result, entry, hasResource), handover };
    } finally {
      limit.abort();
    }
  }

  async #stillSettling(sent: Entry): Promise<CallResult> {
    const entry = await lookUp(sent, await this.#rpc());
    const receipt = receiptOf(entry);
    const paid = `${receipt.amount} USDC to ${receipt.payTo}`;
    const again =
      'Call again with the same arguments to get its answer: nothing more is paid for that.';
    const answer = { ...UNPAID, code: 'still_settling', receipt };
    switch (entry.outcome) {
      case 'settled':
        return {
          ...answer,
          outcome: 'settled',
          message: `Paid ${paid}, and the seller has not answered yet. ${again}`,
        };
      case 'not_settled':
        return {
          ...answer,
          outcome: 'not_paid',
          message: `The payment of ${paid} can never settle, and the seller has not answered yet. ${again}`,
        };
      case 'not_yet':
      case 'unknown':
        return {
          ...answer,
          outcome: entry.outcome,
          message: `The payment of ${paid} is still being settled. ${undecidedInWords(entry)} ${again}`,
        };
    }
  }

  #handover(
    sent: Entry,
    began: number,
    { result, hasResource }: Pick<CallEnd, 'result' | 'hasResource'>,
  ): Handover {
    const { nonce } = sent.sent;
    return {
      taken: async () => {
        const reported = !isUndecided(sent);
        const entry = await this.#mark(nonce, { delivered: hasResource, reported });
        if (entry === undefined) return;
        const isDoubtful = Date.now() - began > DOUBTFUL_AFTER_MS;
        if (isDoubtful && hasResource) {
          await this.#answers.keep(entry, answerOf(result), DOUBTFUL_FOR_MS);
        } else {
          await this.#answers.remove(entry);
        }
      },
      lost: async () => {
        const entry = await this.#mark(nonce, { delivered: false, reported: false });
        if (entry !== undefined) await this.#answers.keep(entry, answerOf(result));
      },
    };
  }

  /**
   * Looks for an earlier payment for the same request. While it is undecided, no other payment is made. An answer that no client
   * is known to have taken is the result; without one, that the payment has settled is reported before anything is paid again.
   */
  async #earlier(ask: Ask, rpc: SorobanRpc): Promise<CallResult | undefined> {
    const entries = (await this.#entries()).filter(
      (entry) => entry.outcome !== 'not_settled' && isSameCall(entry, ask),
    );
    const kept = await this.#answers.find(entries);
    for (const entry of entries) {
      const answer = kept.get(entry.sent.nonce);
      const isOwed = isUndecided(entry) || !(entry.reported || entry.delivered);
      if (answer === undefined && !isOwed) continue;
      const now = await this.#lookUp(entry, rpc);
      if (now.outcome === 'not_settled') continue;
      if (answer !== undefined) return this.#keptResult(answer, now);
      const receipt = receiptOf(now);
      if (isUndecided(now)) {
        const outcome = now.outcome === 'not_yet' ? 'not_yet' : 'unknown';
        return {
          ...{ ...UNPAID, outcome, code: 'earlier_payment_unknown', receipt },
          message: `An earlier payment of ${receipt.amount} USDC for this same call is undecided. ${undecidedInWords(now)} ${NOTHING_PAID.replace('paid', 'paid now')}`,
        };
      }
      if (now.reported || now.delivered) continue;
      return {
        ...{ ...UNPAID, outcome: 'settled', code: 'earlier_payment_settled', receipt },
        alreadyPaid: true,
        message: `An earlier payment of ${receipt.amount} USDC for this same call has settled, and its answer is not known here. Nothing was paid now. Call again only if you want to pay again.`,
        handover: {
          taken: async () => void (await this.#mark(now.sent.nonce, { reported: true })),
          lost: async () => void (await this.#mark(now.sent.nonce, { reported: false })),
        },
      };
    }
    return undefined;
  }

  #keptResult(answer: Answer, entry: Entry): CallResult {
    const hasResource = answer.code === null;
    const receipt = { ...receiptOf(entry), delivered: hasResource };
    const result = { ...UNPAID, ...answer, outcome: 'unknown', receipt } as const;
    return {
      ...result,
      ...alreadyInWords(result, entry, hasResource),
      handover: this.#handover(entry, Date.now(), { result, hasResource }),
    };
  }

  /** Changes what is recorded of a payment, whatever else has been recorded since: one change after the other. */
  #mark(nonce: bigint, changes: Partial<Entry>): Promise<Entry | undefined> {
    const marking = this.#marking.then(async () => {
      const entry = (await this.#entries()).find(({ sent }) => sent.nonce === nonce);
      if (entry === undefined) return undefined;
      const changed = { ...entry, ...changes };
      await this.#receipts.keep(changed);
      return changed;
    });
    this.#marking = marking.catch(() => undefined);
    return marking;
  }

  async #lookUpOpen(rpc: SorobanRpc): Promise<void> {
    const open = (await this.#entries()).filter(isUndecided);
    for (const entry of open.slice(0, MAX_LOOKED_UP)) await this.#lookUp(entry, rpc);
  }

  async #lookUp(entry: Entry, rpc: SorobanRpc): Promise<Entry> {
    const now = await lookUp(entry, rpc);
    if (now.outcome === entry.outcome) return now;
    const { outcome, transaction } = now;
    await this.#mark(entry.sent.nonce, { outcome, transaction }).catch(() => undefined);
    return now;
  }

  #entries(): Promise<readonly Entry[]> {
    return this.#receipts.entries(this.#policies);
  }

  /** The limits of the key on the ledger, whose policies identify the agent's receipts. */
  async #limits(rpc: SorobanRpc): Promise<LimitedKey> {
    const key = await limitsOf(this.#options.payer, rpc);
    if (key.state === 'limited') this.#policies = key.limits.map(({ contract }) => contract);
    return key;
  }

  /** Checks whether this may be paid, before anything is signed. @throws Refusal */
  async #approve(
    { amount, payTo }: PaymentOption,
    { method, url }: Ask,
    consent: Consent,
    rpc: SorobanRpc,
  ): Promise<readonly string[]> {
    const { payer, allowUnlimited, askAbove } = this.#options;
    const key = await this.#limits(rpc);
    const refused = whyNot(key, payer, allowUnlimited);
    if (refused !== undefined) throw new Refusal('key_not_limited', refused);
    const policies = key.state === 'limited' ? this.#policies : [];
    if (amount <= askAbove) return policies;
    const limits = await readLimits(key, rpc);
    const price = formatDecimalAmount(amount);
    const answer = await consent({
      method,
      url: url.href,
      amount: price,
      payTo,
      left: limits[0]?.left,
    });
    if (answer === 'accepted') return policies;
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
    const entries = await this.#entries();
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
