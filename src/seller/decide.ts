import { createHash } from 'node:crypto';
import type { Offer, PaymentPage, SellerAnswer, SellerRequest } from './offer.ts';
import { paymentPage, prefersHtml } from './page.ts';
import type { Remembered, Sale } from './saleBook.ts';
import type {
  FacilitatorAnswer,
  FacilitatorCall,
  PresentedPayment,
  RefusedAt,
  SellerProtocol,
  SettlementOutcome,
} from './sellerProtocol.ts';

/** A payment that is good for a sale. */
export interface SalePayment {
  readonly protocol: SellerProtocol;
  readonly payment: PresentedPayment;
  /** Verified. */
  readonly payer: string;
}

/** How the handler's response looks, as far as the sale depends on it. */
export interface Served {
  /** Whether it may be sold. A failure settles nothing. */
  readonly good: boolean;
  /** Whether all of it is there and can be kept; a stream cannot. */
  readonly whole: boolean;
  /** Of HTTP: some receipts come with a success alone. Default: 200 for a good response, 500 for another. */
  readonly status?: number | undefined;
}

/** Why a seller answered by itself; for logs and counters. */
export type AnswerReason =
  | 'unpaid'
  | 'refused'
  | 'other_request'
  | 'in_progress'
  | 'unverified'
  | 'undecided'
  | 'not_settled'
  | 'gone';

type Headers = SellerAnswer['headers'];

/**
 * What to do next for a request with a price. A decision that needs something from outside has `next`, which takes it and
 * returns the decision after it; the others end the story.
 */
export type Decision<Kept> =
  | {
      readonly step: 'recall';
      readonly sale: Sale;
      readonly next: (remembered: Remembered<Kept>) => Decision<Kept>;
    }
  | {
      readonly step: 'verify' | 'settle';
      readonly call: FacilitatorCall;
      readonly next: (answer: FacilitatorAnswer) => Decision<Kept>;
    }
  | {
      readonly step: 'claim';
      readonly sale: Sale;
      /** Whether an earlier request left the sale behind, so that its settlement may have been asked for. */
      readonly resumed: boolean;
      readonly next: (claimed: boolean) => Decision<Kept>;
    }
  /** Keep the response that was served, or the note that a settlement is asked for. */
  | {
      readonly step: 'hold';
      readonly sale: Sale;
      readonly what: 'response' | 'note';
      readonly next: () => Decision<Kept>;
    }
  | {
      readonly step: 'serve';
      readonly paid: SalePayment;
      /** Hash of the settlement if the money was taken before. */
      readonly transaction: string | undefined;
      readonly next: (served: Served) => Decision<Kept>;
    }
  /** Note that the sale is paid. */
  | {
      readonly step: 'book';
      readonly sale: Sale;
      readonly receipt: unknown;
      readonly next: () => Decision<Kept>;
    }
  | { readonly step: 'wait'; readonly milliseconds: number; readonly next: () => Decision<Kept> }
  /** The seller's own answer. */
  | {
      readonly step: 'answer';
      readonly answer: SellerAnswer;
      readonly reason: AnswerReason;
      /** Whether the sale is to be forgotten, since it is not paid and never will be. */
      readonly forget: boolean;
    }
  /** The response: the handler's of this request, or the one that was kept. */
  | {
      readonly step: 'deliver';
      readonly sale: Sale;
      readonly kept: Kept | undefined;
      readonly paid: SalePayment;
      readonly transaction: string;
      /** @param status of the response */
      readonly headers: (status: number) => Headers;
    }
  /** The handler's failure, for which nothing is taken; if the money was taken before, the sale stays owed. */
  | {
      readonly step: 'pass';
      readonly sale: Sale;
      readonly owed: boolean;
      /** @param status of the response */
      readonly headers: (status: number) => Headers;
    };

/** How often a settlement that is not decided is asked for again, and how long before each. */
const SETTLE_WAITS_MS = [250, 1_000, 2_000] as const;
/** How a request waits for an identical one that is being served: 20 seconds in all. */
const SERVING_WAIT_MS = 100;
const MAX_SERVING_WAITS = 200;

const NO_STORE = ['cache-control', 'no-store'] as const;

function jsonAnswer(
  status: number,
  body: unknown,
  headers: Headers = [],
  type = 'application/json',
): SellerAnswer {
  return {
    status,
    headers: [['content-type', type], NO_STORE, ...headers],
    body: JSON.stringify(body),
  };
}

/** Returns an answer with a code and a sentence. */
export function errorAnswer(
  status: number,
  error: string,
  message: string,
  headers: Headers = [],
): SellerAnswer {
  return jsonAnswer(status, { error, message }, headers);
}

/** The request headers on which answers of a priced resource depend. */
export function varyOf(
  protocols: readonly Pick<SellerProtocol, 'requestHeaders' | 'vary'>[],
): string {
  return protocols
    .flatMap(({ requestHeaders, vary = requestHeaders.slice(0, 1) }) => vary)
    .join(', ');
}

/** Returns whether a request carries a payment of one of the protocols. */
export function carriesPayment(
  header: SellerRequest['header'],
  protocols: readonly SellerProtocol[],
): boolean {
  return protocols.some(
    (protocol) =>
      protocol.carriesPayment?.(header) ??
      protocol.requestHeaders.some((name) => header(name) !== undefined),
  );
}

/** Returns the protocols whose headers a client gets. The body has the terms of all. */
function negotiated(
  request: SellerRequest,
  protocols: readonly SellerProtocol[],
): readonly SellerProtocol[] {
  const wished = protocols.map((protocol) => protocol.negotiate?.(request) ?? 'also');
  const only = protocols.filter((_, index) => wished[index] === 'alone');
  const usable = protocols.filter((_, index) => wished[index] !== 'never');
  if (only.length > 0) return only;
  return usable.length > 0 ? usable : protocols;
}

/**
 * Decides about a request with a price. The order is: recall the sale, verify, claim it, serve, keep the response, settle, note
 * it, deliver. With `settle: 'before'`, the money is taken before the handler works. Nothing is delivered before the settlement
 * is known to have paid, and what is kept is delivered again for an identical request.
 *
 * Pure: each decision says what is needed, and its `next` takes the result.
 */
export function decide<Kept>(
  offer: Offer,
  request: SellerRequest,
  protocols: readonly SellerProtocol[],
): Decision<Kept> {
  for (const protocol of protocols) {
    const read = protocol.read(request, offer);
    if (read === undefined) continue;
    if (!read.ok) {
      return challenge(offer, request, protocols, 'refused', {
        reason: read.reason,
        at: 'reading',
      });
    }
    return new Exchange<Kept>(offer, request, protocols, protocol, read.payment).begin();
  }
  return challenge(offer, request, protocols, 'unpaid', undefined);
}

/** Why a payment was refused. */
interface Refusal {
  readonly reason: string;
  readonly at: RefusedAt;
}

function challenge(
  offer: Offer,
  request: SellerRequest,
  protocols: readonly SellerProtocol[],
  reason: AnswerReason,
  refusal: Refusal | undefined,
  headers: Headers = [],
): Extract<Decision<never>, { step: 'answer' }> {
  const shown = negotiated(request, protocols);
  const parts = protocols.map((protocol) => ({
    ...protocol.challenge(offer, request, refusal?.reason, refusal?.at),
    isShown: shown.includes(protocol),
  }));
  const terms = parts.flatMap((part) => (part.isShown ? part.headers : []));
  if (isForPerson(offer, request, reason)) {
    const { headers: own, body } = paymentPage(offer, request, offer.page);
    const vary = ['vary', `${varyOf(protocols)}, Accept, Accept-Language`] as const;
    const answer = { status: 402, headers: [...own, NO_STORE, ...terms, vary], body };
    return { step: 'answer', reason, answer, forget: true };
  }
  const all = [...terms, ['vary', varyOf(protocols)] as const, ...headers];
  const body: Readonly<Record<string, unknown>> = Object.assign(
    {},
    ...parts.map((part) => part.body),
  );
  const status = parts.find((part) => part.status !== undefined)?.status ?? 402;
  const type = parts.find((part) => part.contentType !== undefined)?.contentType;
  return {
    step: 'answer',
    reason,
    answer: jsonAnswer(status, body, all, type),
    // Whatever was wrong with the payment, nothing was taken.
    forget: true,
  };
}

/** Whether a person asked with a browser: for the resource itself, without a payment. */
function isForPerson(
  offer: Offer,
  { method, header }: SellerRequest,
  reason: AnswerReason,
): offer is Offer & { readonly page: PaymentPage } {
  return (
    offer.page !== undefined &&
    reason === 'unpaid' &&
    method === 'GET' &&
    prefersHtml(header('accept'))
  );
}

/** The story of one payment that came with a request. */
class Exchange<Kept> {
  readonly #offer: Offer;
  readonly #request: SellerRequest;
  readonly #protocols: readonly SellerProtocol[];
  readonly #protocol: SellerProtocol;
  readonly #payment: PresentedPayment;
  readonly #sale: Sale;

  constructor(
    offer: Offer,
    request: SellerRequest,
    protocols: readonly SellerProtocol[],
    protocol: SellerProtocol,
    payment: PresentedPayment,
  ) {
    this.#offer = offer;
    this.#request = request;
    this.#protocols = protocols;
    this.#protocol = protocol;
    this.#payment = payment;
    const { method, target, bodyDigest } = request;
    const parts = [protocol.name, payment.fingerprint, method, target, bodyDigest];
    const digest = createHash('sha256').update(JSON.stringify(parts)).digest('base64');
    // Without the protocol's name: a transaction that is presented by two protocols is the same money.
    this.#sale = { key: payment.key, request: digest };
  }

  begin(waits = 0): Decision<Kept> {
    const sale = this.#sale;
    return { step: 'recall', sale, next: (remembered) => this.#recalled(remembered, waits) };
  }

  #recalled(remembered: Remembered<Kept>, waits: number): Decision<Kept> {
    switch (remembered.state) {
      case 'none':
        return this.#verify();
      case 'other':
        return this.#answer(
          'other_request',
          409,
          'payment_used',
          'This payment was presented for another request. Nothing was taken for this one. Sign a new payment for it.',
        );
      case 'serving':
        if (waits < MAX_SERVING_WAITS) {
          return {
            step: 'wait',
            milliseconds: SERVING_WAIT_MS,
            next: () => this.begin(waits + 1),
          };
        }
        return this.#answer(
          'in_progress',
          503,
          'payment_in_progress',
          'The first request with this payment is still being served. Send the identical request again.',
          [['retry-after', '1']],
        );
      case 'held':
      case 'asked':
      case 'owed':
        return this.#resume(remembered);
      case 'paid':
        return this.#deliver(remembered.kept, this.#presented(), remembered.receipt);
      case 'gone':
        return this.#answer(
          'gone',
          410,
          'sale_delivered',
          'This payment settled and its response was delivered, and is not kept any more. Do not pay for it again.',
          this.#protocol.receipt(remembered.receipt, 410),
        );
    }
  }

  /** Continues a sale whose earlier request ended in between. */
  #resume(
    remembered: Extract<Remembered<Kept>, { state: 'held' | 'asked' | 'owed' }>,
  ): Decision<Kept> {
    const paid = this.#presented();
    return {
      step: 'claim',
      sale: this.#sale,
      resumed: true,
      next: (claimed) => {
        if (!claimed) return this.begin(1);
        if (remembered.state === 'owed') return this.#serve(paid, remembered.receipt);
        return this.#settle(true, paid, (receipt) =>
          remembered.state === 'held'
            ? this.#deliver(remembered.kept, paid, receipt)
            : this.#serve(paid, receipt),
        );
      },
    };
  }

  /** The payment of a sale that was verified when it was claimed. */
  #presented(): SalePayment {
    return { protocol: this.#protocol, payment: this.#payment, payer: this.#payment.payer };
  }

  #verify(): Decision<Kept> {
    const payment = this.#payment;
    if (payment.tooLate !== undefined)
      return this.#refuse('refused', { at: 'verifying', reason: payment.tooLate });
    return {
      step: 'verify',
      call: this.#protocol.verification(payment),
      next: (answer) => {
        const verdict = this.#protocol.readVerdict(answer, payment);
        if (verdict.valid === 'unknown') {
          return this.#answer(
            'unverified',
            503,
            'facilitator_unavailable',
            `The payment could not be verified, and was not presented for settlement. ${verdict.message}`.trim(),
            [['retry-after', '2']],
          );
        }
        if (!verdict.valid)
          return this.#refuse('refused', { at: 'verifying', reason: verdict.reason });
        return this.#claim({ protocol: this.#protocol, payment, payer: verdict.payer });
      },
    };
  }

  #refuse(answer: AnswerReason, refusal: Refusal, headers: Headers = []): Decision<Kept> {
    return challenge(this.#offer, this.#request, this.#protocols, answer, refusal, headers);
  }

  #claim(paid: SalePayment): Decision<Kept> {
    const sale = this.#sale;
    return {
      step: 'claim',
      sale,
      resumed: false,
      next: (claimed) => {
        if (!claimed) return this.begin(1);
        if (this.#offer.settle === 'after') return this.#serve(paid, undefined);
        return this.#hold('note', () =>
          this.#settle(false, paid, (receipt) => this.#serve(paid, receipt)),
        );
      },
    };
  }

  #hold(what: 'response' | 'note', next: () => Decision<Kept>): Decision<Kept> {
    return { step: 'hold', sale: this.#sale, what, next };
  }

  /** @param receipt of the settlement, if the money was taken already */
  #serve(paid: SalePayment, receipt: unknown): Decision<Kept> {
    const sale = this.#sale;
    const settled = receipt !== undefined;
    return {
      step: 'serve',
      paid,
      transaction: settled ? transactionIn(receipt) : undefined,
      next: ({ good, whole }) => {
        if (!good) {
          const headers = (status: number) =>
            settled ? this.#protocol.receipt(receipt, status) : [];
          return { step: 'pass', sale, owed: settled, headers };
        }
        if (settled) return this.#deliver(undefined, paid, receipt);
        return this.#hold(whole ? 'response' : 'note', () =>
          this.#settle(false, paid, (now) => this.#deliver(undefined, paid, now)),
        );
      },
    };
  }

  #deliver(kept: Kept | undefined, paid: SalePayment, receipt: unknown): Decision<Kept> {
    return {
      step: 'deliver',
      sale: this.#sale,
      kept,
      paid,
      transaction: transactionIn(receipt),
      headers: (status) =>
        this.#protocol.receipt(receipt, status, { offer: this.#offer, payer: paid.payer }),
    };
  }

  /** Asks for the settlement until it is decided, a few times. */
  #settle(
    again: boolean,
    paid: SalePayment,
    then: (receipt: unknown) => Decision<Kept>,
    attempt = 0,
  ): Decision<Kept> {
    return {
      step: 'settle',
      call: this.#protocol.settlement(paid.payment),
      next: (answer) => {
        const outcome = this.#protocol.readOutcome(answer, again || attempt > 0);
        if (outcome.paid === 'yes') {
          const { receipt } = outcome;
          return { step: 'book', sale: this.#sale, receipt, next: () => then(receipt) };
        }
        if (outcome.paid === 'no') return this.#notPaid(outcome);
        const milliseconds = SETTLE_WAITS_MS[attempt];
        if (milliseconds === undefined) return this.#undecided(outcome);
        return {
          step: 'wait',
          milliseconds,
          next: () => this.#settle(again, paid, then, attempt + 1),
        };
      },
    };
  }

  #notPaid({ reason, receipt }: Extract<SettlementOutcome, { paid: 'no' }>): Decision<Kept> {
    return this.#refuse(
      'not_settled',
      { at: 'settling', reason },
      this.#protocol.receipt(receipt, 402),
    );
  }

  /** The sale stays: the identical request finds out, and gets the response. */
  #undecided({ reason, receipt }: Extract<SettlementOutcome, { paid: 'unknown' }>): Decision<Kept> {
    return this.#answer(
      'undecided',
      503,
      'settlement_undecided',
      `The settlement is not decided (${reason}). Send the identical request again; do not sign another payment for it.`,
      [
        ['retry-after', '2'],
        ...(receipt === undefined ? [] : this.#protocol.receipt(receipt, 503)),
      ],
    );
  }

  #answer(
    reason: AnswerReason,
    status: number,
    error: string,
    message: string,
    headers: Headers = [],
  ): Decision<Kept> {
    const answer = errorAnswer(status, error, message, headers);
    return { step: 'answer', reason, answer, forget: false };
  }
}

/** Returns the hash in a receipt, as every protocol's facilitator names it; empty if it has none. */
function transactionIn(receipt: unknown): string {
  const hash =
    typeof receipt === 'object' && receipt !== null
      ? (receipt as Readonly<Record<string, unknown>>)['transaction']
      : undefined;
  return typeof hash === 'string' ? hash : '';
}
