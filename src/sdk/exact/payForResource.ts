import {
  encodeHeaderMessage,
  PAYMENT_SIGNATURE_HEADER,
  STELLAR_TESTNET,
} from '../../protocol/index.ts';
import { type Challenge, readChallenge } from './challenge.ts';
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
import { type PaymentOutcome, paymentOutcome } from './paymentOutcome.ts';
import { readSettlement, type Settlement } from './readSettlement.ts';
import type { SentPayment } from './sentPayment.ts';
import type { X402Error } from './x402Error.ts';

/** What happens on the way, in this order; the last two again when a payment is signed afresh. */
export type PaymentStep = 'asked' | 'chosen' | 'signed' | 'answered';

export interface PaymentPlan extends PaymentMeans, Partial<PaymentLimits> {
  /** Called with what would be paid, before anything is signed. Throw to stop. */
  readonly beforeSigning?: (option: PaymentOption) => void | Promise<void>;
  /** Called with what was signed, before it leaves, and again for a second signature. Throw to stop. */
  readonly beforeSending?: (payment: SentPayment) => void | Promise<void>;
  /** The buyer's identifier for the sale. Default: a random one, for sellers that accept identifiers. */
  readonly paymentId?: string | undefined;
  readonly onStep?: (step: PaymentStep) => void;
  /** Stops before the paid request is sent. After that nothing is stopped: money may move. */
  readonly signal?: AbortSignal | undefined;
}

/** The answer to a request, with the payment that it took. */
export interface PaidResponse<R extends HttpResponse> {
  readonly response: R;
  /** `undefined` when the resource was given without payment. */
  readonly payment: Payment | undefined;
}

export interface Payment {
  readonly option: PaymentOption;
  /** `undefined` when the seller gave the resource and told nothing of the settlement. */
  readonly settlement: Settlement | undefined;
}

/**
 * Asks for a resource and pays for it where it costs something. At most one payment can settle:
 * a second one is signed only when the facilitator said that the first was never submitted, and
 * then with the same nonce, of which the ledger takes one (spec: Settlement outcomes). Once signed
 * bytes have left, only the ledger says whether money moved.
 * @param send sends the request with these headers added; must not follow redirects with them
 * @throws X402Error; its `moneyMoved` says what became of the money
 */
export async function payForResource<R extends HttpResponse>(
  send: (headers: Readonly<Record<string, string>>) => Promise<R>,
  plan: PaymentPlan,
): Promise<PaidResponse<R>> {
  const { signal, onStep } = plan;
  const first = await send({});
  onStep?.('asked');
  if (first.status !== 402) return { response: first, payment: undefined };

  const challenge = nameSale(readChallenge(first), plan.paymentId, plan.platform);
  const option = choosePaymentOption(challenge, {
    network: plan.network ?? STELLAR_TESTNET,
    maxAmount: plan.maxAmount,
    allowedAssets: plan.allowedAssets,
  });
  onStep?.('chosen');
  await plan.beforeSigning?.(option);
  throwIfAborted(signal);

  const payment = await createPayment(option, challenge, plan, { signal });
  onStep?.('signed');
  throwIfAborted(signal);
  await plan.beforeSending?.(payment.sent);
  const answer = await present(send, payment);
  onStep?.('answered');
  if ('paid' in answer) return answer.paid;
  const again =
    answer.passing && !signal?.aborted ? await signAfresh(payment, challenge, plan) : undefined;
  if (again === undefined) throw await judge(answer, payment.sent, plan);
  const second = await present(send, again);
  onStep?.('answered');
  if ('paid' in second) return second.paid;
  throw await judge(second, again.sent, plan);
}

/**
 * Signs the payment once more, with the same nonce: the ledger takes one of the two. `undefined` when
 * that fails, such as because the first one settled after all.
 */
async function signAfresh(
  { option, sent }: SignedPayment,
  challenge: Challenge,
  plan: PaymentPlan,
): Promise<SignedPayment | undefined> {
  try {
    const { nonce } = sent;
    const fresh = await createPayment(option, challenge, plan, { nonce, signal: plan.signal });
    const again = { ...fresh, sent: { ...fresh.sent, signedLedger: sent.signedLedger } };
    plan.onStep?.('signed');
    if (plan.signal?.aborted) return undefined;
    await plan.beforeSending?.(again.sent);
    return again;
  } catch {
    // The first one has left: what became of it is what the caller has to know.
    return undefined;
  }
}

/** `AbortSignal.throwIfAborted` is younger than Node 16, on which old editors run. */
function throwIfAborted(signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return;
  const error = new Error('The payment was called off before it was made.');
  error.name = 'AbortError';
  throw error;
}

/** What the seller made of a payment. It is the seller's word: the ledger is asked before it is passed on. */
type Answer<R extends HttpResponse> = { readonly paid: PaidResponse<R> } | Unpaid;

interface Unpaid {
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  /** Hash that the seller names; empty when it names none. */
  readonly transaction: string;
  /** The seller says that it settled. */
  readonly claimed: boolean;
  /** The seller says that it was never submitted, for a reason that may be gone in a moment. */
  readonly passing: boolean;
  /** Why it refused; `undefined` when it did not say what became of the payment. */
  readonly refusal: { readonly reason: string; readonly detail: string | undefined } | undefined;
  readonly message: string;
  readonly cause?: unknown;
}

const UNPAID = { status: 0, transaction: '', claimed: false, passing: false, refusal: undefined };

/** Presents a payment once, and reads the answer. */
async function present<R extends HttpResponse>(
  send: (headers: Readonly<Record<string, string>>) => Promise<R>,
  { payload, option }: SignedPayment,
): Promise<Answer<R>> {
  let response: R;
  try {
    response = await send({ [PAYMENT_SIGNATURE_HEADER]: encodeHeaderMessage(payload) });
  } catch (cause) {
    const message = 'The request that carried the payment got no answer: it may still settle.';
    return { ...UNPAID, message, cause };
  }
  const { status } = response;
  const settlement = readSettlement(response);
  const good = status >= 200 && status < 300;
  if (good && settlement?.success !== false) {
    return { paid: { response, payment: { option, settlement } } };
  }
  const message = `The paid request was answered ${status} without saying what became of the payment.`;
  const unpaid = { ...UNPAID, status, message };
  if (settlement === undefined) {
    if (status !== 402) return unpaid;
    return { ...unpaid, refusal: { reason: reasonOfTerms(response), detail: undefined } };
  }
  const { success, errorReason, errorMessage, transaction } = settlement;
  if (success) return { ...unpaid, transaction, claimed: true };
  const reason = errorReason ?? 'no reason given';
  const passing = transaction === '' && PASSING_REASONS.has(reason);
  const refusal = { reason, detail: errorMessage ?? undefined };
  return { ...unpaid, transaction, passing, refusal };
}

/** Asks the ledger, and returns the error that says what is known. */
async function judge(answer: Unpaid, sent: SentPayment, plan: PaymentPlan): Promise<X402Error> {
  const { status, transaction, claimed, refusal, message, cause } = answer;
  const outcome = await outcomeNow(sent, plan);
  if (outcome.moneyMoved === 'yes') {
    const hash = outcome.transaction === '' ? transaction : outcome.transaction;
    return new SettledWithoutResourceError(hash, status, { moneyMoved: 'yes', payment: sent });
  }
  const { moneyMoved } = outcome;
  const evidence = { moneyMoved, payment: sent };
  if (claimed && moneyMoved === 'unknown') {
    return new SettledWithoutResourceError(transaction, status, { moneyMoved, payment: sent });
  }
  if (refusal !== undefined) {
    return new PaymentRejectedError(refusal.reason, transaction, refusal.detail, evidence);
  }
  const { expirationLedger } = sent;
  return new PaymentOutcomeUnknownError(message, expirationLedger, { ...evidence, cause });
}

/** An RPC that cannot say leaves it unknown. */
async function outcomeNow(sent: SentPayment, { rpc }: PaymentPlan): Promise<PaymentOutcome> {
  try {
    return await paymentOutcome(sent, rpc);
  } catch {
    return { moneyMoved: 'unknown' };
  }
}

/** Reasons of a settlement that was never submitted, which a fresh signature may get past. */
const PASSING_REASONS: ReadonlySet<string> = new Set([
  'settle_exact_stellar_transaction_submission_failed',
  'settle_exact_stellar_transaction_failed',
]);

/** Why a payment was refused at verification: the new terms say it. */
function reasonOfTerms(response: HttpResponse): string {
  try {
    return readChallenge(response).error ?? 'no reason given';
  } catch {
    // It was refused, also when its terms cannot be read.
    return 'no reason given';
  }
}
