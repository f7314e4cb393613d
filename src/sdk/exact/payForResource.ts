import {
  encodeHeaderMessage,
  PAYMENT_SIGNATURE_HEADER,
  STELLAR_TESTNET,
} from '../../protocol/index.ts';
import {
  type MppChallenge,
  problemNamed,
  sourceOf,
  writeCredential,
} from '../../protocol/mpp/index.ts';
import { readChallenge } from './challenge.ts';
import {
  choosePaymentOption,
  type PaymentLimits,
  type PaymentOption,
} from './choosePaymentOption.ts';
import { createPayment, type PaymentMeans, type SignedPayment } from './createPayment.ts';
import {
  PaymentOutcomeUnknownError,
  PaymentRejectedError,
  SettledWithoutResourceError,
} from './errors.ts';
import type { HttpResponse } from './httpTransport.ts';
import { nameSale } from './paymentIdentifier.ts';
import { outcomeOf, type PaymentOutcome, paymentOutcome } from './paymentOutcome.ts';
import { headerOf, type PaymentProtocol, PROTOCOLS, readTerms } from './paymentTerms.ts';
import { readMppSettlement, readSettlement, type Settlement } from './readSettlement.ts';
import type { SentPayment } from './sentPayment.ts';
import type { X402Error } from './x402Error.ts';

/** The steps of a payment, in this order; the last one is repeated if the payment is presented again. */
export type PaymentStep = 'asked' | 'chosen' | 'signed' | 'answered';

export interface PaymentPlan extends PaymentMeans, Partial<PaymentLimits> {
  /** How to pay, in the order of preference: with several, the first option that the limits allow. Default: x402, then MPP. */
  readonly protocols?: readonly PaymentProtocol[] | undefined;
  /** Whether the request has an `Authorization` of its own. Then MPP, which would replace it, is not used. */
  readonly hasAuthorization?: boolean;
  /** Called with the chosen option and its protocol, before anything is signed. Throw to stop. */
  readonly beforeSigning?: (
    option: PaymentOption,
    protocol: PaymentProtocol,
  ) => void | Promise<void>;
  /** Called with the signed payment before it is sent, once. Throw to stop. */
  readonly beforeSending?: (payment: SentPayment) => void | Promise<void>;
  /** The buyer's identifier for the sale. Default: a random one, for sellers that accept identifiers. */
  readonly paymentId?: string | undefined;
  readonly onStep?: (step: PaymentStep) => void;
  /** Aborts until the paid request is sent. After that, nothing is aborted, because money might move. */
  readonly signal?: AbortSignal | undefined;
}

/** The response to a request, with the payment for it. */
export interface PaidResponse<R extends HttpResponse> {
  readonly response: R;
  /** `undefined` if the resource was free. */
  readonly payment: Payment | undefined;
}

export interface Payment {
  readonly option: PaymentOption;
  readonly protocol: PaymentProtocol;
  /** `undefined` if the seller delivered the resource but reported no settlement. */
  readonly settlement: Settlement | undefined;
}

/**
 * Requests a resource and pays for it if it has a price. One authorization is signed, which the ledger accepts once. If the seller
 * reports that it was never submitted, the same payment is presented once more (spec: Settlement outcomes); nothing else is
 * signed, because a signature with another expiration could be paid besides the first. After signed bytes were sent, only the
 * ledger shows whether money moved.
 * @param send sends the request with these headers added; must not follow redirects with them. It owns the bodies of the responses
 *   that are not returned
 * @throws X402Error; its `moneyMoved` says whether money moved, and its `fate` what is known
 */
export async function payForResource<R extends HttpResponse>(
  send: (headers: Readonly<Record<string, string>>) => Promise<R>,
  plan: PaymentPlan,
): Promise<PaidResponse<R>> {
  const { signal, onStep } = plan;
  const first = await send({});
  onStep?.('asked');
  if (first.status !== 402) return { response: first, payment: undefined };

  const network = plan.network ?? STELLAR_TESTNET;
  const { protocols = PROTOCOLS, hasAuthorization = false } = plan;
  const terms = readTerms(first, { protocols, network, hasAuthorization, now: plan.now() });
  const challenge = nameSale(terms, plan.paymentId, plan.platform);
  const option = choosePaymentOption(challenge, {
    network,
    maxAmount: plan.maxAmount,
    allowedAssets: plan.allowedAssets,
  });
  const mpp = terms.mpp.get(option.offered);
  const carrier = mpp === undefined ? x402Carrier : mppCarrier(mpp, network);
  onStep?.('chosen');
  await plan.beforeSigning?.(option, carrier.protocol);
  throwIfAborted(signal);

  const payment = await createPayment(option, challenge, plan, { signal });
  onStep?.('signed');
  throwIfAborted(signal);
  await plan.beforeSending?.(payment.sent);
  const answer = await present(send, payment, carrier);
  onStep?.('answered');
  if ('paid' in answer) return answer.paid;
  const outcome = await outcomeNow(payment.sent, plan);
  if (!answer.passing || signal?.aborted || !canStillPay(outcome)) {
    throw judge(answer, payment.sent, outcome);
  }
  const second = await present(send, payment, carrier);
  onStep?.('answered');
  if ('paid' in second) return second.paid;
  throw judge(second, payment.sent, await outcomeNow(payment.sent, plan));
}

/** The same authorization cannot be paid twice, so it may also be presented again if its fate cannot be read. */
function canStillPay({ fate }: PaymentOutcome): boolean {
  return fate.state === 'open' || fate.state === 'unknown';
}

/** Node 16, on which old editors run, does not have `AbortSignal.throwIfAborted`. */
function throwIfAborted(signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return;
  const error = new Error('The payment was cancelled before it was made.');
  error.name = 'AbortError';
  throw error;
}

/** The seller's response to a payment. It is only a claim: the ledger is checked before it is passed on. */
type Answer<R extends HttpResponse> = { readonly paid: PaidResponse<R> } | Unpaid;

interface Unpaid {
  /** HTTP status; 0 without a response. */
  readonly status: number;
  /** The hash that the seller named; empty if it named none. */
  readonly transaction: string;
  /** The seller claims that it settled. */
  readonly claimed: boolean;
  /** The seller claims that it was never submitted, for a reason that might be temporary. */
  readonly passing: boolean;
  /** Why the seller refused; `undefined` if it did not report the payment's outcome. */
  readonly refusal: { readonly reason: string; readonly detail: string | undefined } | undefined;
  readonly message: string;
  readonly cause?: unknown;
}

const UNPAID = { status: 0, transaction: '', claimed: false, passing: false, refusal: undefined };

/** How a protocol carries a payment, and the answer to it. */
interface Carrier {
  readonly protocol: PaymentProtocol;
  headers(payment: SignedPayment): Readonly<Record<string, string>>;
  settlement(response: HttpResponse): Settlement | undefined;
  /** Why a payment was refused whose settlement is not in the response. */
  reason(response: HttpResponse): Promise<string>;
}

const x402Carrier: Carrier = {
  protocol: 'x402',
  headers: ({ payload }) => ({ [PAYMENT_SIGNATURE_HEADER]: encodeHeaderMessage(payload) }),
  settlement: readSettlement,
  reason: async (response) => reasonOfTerms(response) ?? NO_REASON,
};

function mppCarrier(challenge: MppChallenge, network: string): Carrier {
  return {
    protocol: 'mpp',
    headers: ({ transaction, sent }) => ({
      [headerOf(challenge)]: writeCredential({
        challenge,
        source: sourceOf(network, sent.payer),
        payload: { type: 'transaction', transaction },
      }),
    }),
    settlement: readMppSettlement,
    reason: async (response) =>
      reasonOfTerms(response) ?? (await reasonOfProblem(response)) ?? NO_REASON,
  };
}

/** Sends a payment once and reads the response. */
async function present<R extends HttpResponse>(
  send: (headers: Readonly<Record<string, string>>) => Promise<R>,
  payment: SignedPayment,
  carrier: Carrier,
): Promise<Answer<R>> {
  const { option } = payment;
  const { protocol } = carrier;
  let response: R;
  try {
    response = await send(carrier.headers(payment));
  } catch (cause) {
    const message = 'The request that carried the payment got no response.';
    return { ...UNPAID, message, cause };
  }
  const { status } = response;
  const settlement = carrier.settlement(response);
  const good = status >= 200 && status < 300;
  if (good && settlement?.success !== false) {
    return { paid: { response, payment: { option, protocol, settlement } } };
  }
  const message = `The paid request was answered with ${status}, without the outcome of the payment.`;
  const unpaid = { ...UNPAID, status, message };
  if (settlement === undefined) {
    if (status !== 402) return unpaid;
    const reason = await carrier.reason(response);
    // MPP reports a settlement that failed like any other refusal.
    const passing = protocol === 'mpp' && PASSING_REASONS.has(reason);
    return { ...unpaid, passing, refusal: { reason, detail: undefined } };
  }
  const { success, errorMessage, transaction } = settlement;
  if (success) return { ...unpaid, transaction, claimed: true };
  const reason = reasonOf(settlement);
  const passing = transaction === '' && PASSING_REASONS.has(reason);
  const refusal = { reason, detail: errorMessage ?? undefined };
  return { ...unpaid, transaction, passing, refusal };
}

/** Returns the error for an answer, with what the ledger shows about the payment. */
function judge(answer: Unpaid, payment: SentPayment, outcome: PaymentOutcome): X402Error {
  const { status, transaction, claimed, refusal, message, cause } = answer;
  const { fate } = outcome;
  if (outcome.moneyMoved === 'yes') {
    const hash = outcome.transaction === '' ? transaction : outcome.transaction;
    return new SettledWithoutResourceError(hash, status, { moneyMoved: 'yes', payment, fate });
  }
  const { moneyMoved } = outcome;
  if (claimed && moneyMoved !== 'no') {
    return new SettledWithoutResourceError(transaction, status, { moneyMoved, payment, fate });
  }
  const evidence = { moneyMoved, payment, fate };
  if (refusal !== undefined) {
    return new PaymentRejectedError(refusal.reason, transaction, refusal.detail, evidence);
  }
  const { expirationLedger } = payment;
  return new PaymentOutcomeUnknownError(message, expirationLedger, { ...evidence, cause });
}

/** Returns the outcome; `unknown` if the RPC fails. */
async function outcomeNow(sent: SentPayment, { rpc }: PaymentPlan): Promise<PaymentOutcome> {
  try {
    return await paymentOutcome(sent, rpc);
  } catch {
    return outcomeOf({ state: 'unknown', because: 'unreadable' });
  }
}

/** Reasons why a settlement was never submitted, for which the same payment might succeed a moment later. */
const PASSING_REASONS: ReadonlySet<string> = new Set([
  'settle_exact_stellar_transaction_submission_failed',
  'settle_exact_stellar_transaction_failed',
]);

const NO_REASON = 'no reason given';
/** A facilitator's own code, which is `settlement_refused` in the specification's words. */
const NETWORK_RESET = 'network_reset';

/** Returns why a settlement was refused: by its code in the specification, or that of a reset of the test network. */
function reasonOf({ errorReason, reason }: Settlement): string {
  return reason === NETWORK_RESET ? NETWORK_RESET : (errorReason ?? NO_REASON);
}

/** Returns why a payment was refused, from the new terms of x402. */
function reasonOfTerms(response: HttpResponse): string | undefined {
  try {
    return readChallenge(response).error;
  } catch {
    // The payment was refused even if the new terms cannot be read.
    return undefined;
  }
}

/** A longer problem is not read. */
const MAX_PROBLEM = 64 * 1024;

/** Returns why a payment was refused, from the body of MPP: our own code, or the name of the problem. */
async function reasonOfProblem(response: HttpResponse): Promise<string | undefined> {
  const length = response.headers.get('content-length');
  if (length === null || !(Number(length) <= MAX_PROBLEM)) return undefined;
  try {
    const body: unknown = JSON.parse((await response.clone?.()?.text()) ?? '');
    if (typeof body !== 'object' || body === null) return undefined;
    const { error, type } = { error: undefined, type: undefined, ...body };
    return typeof error === 'string' ? error : problemNamed(type);
  } catch {
    return undefined;
  }
}
