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
import { readSettlement, type Settlement } from './readSettlement.ts';

/** What happens on the way, in this order; the last two again when a payment is signed afresh. */
export type PaymentStep = 'asked' | 'chosen' | 'signed' | 'answered';

export interface PaymentPlan extends PaymentMeans, Partial<PaymentLimits> {
  /** Called with what would be paid, before anything is signed. Throw to stop. */
  readonly beforeSigning?: (option: PaymentOption) => void | Promise<void>;
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
 * then with the same nonce, of which the ledger takes one (spec: Settlement outcomes).
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

  const challenge = readChallenge(first);
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
  const outcome = await present(send, payment);
  onStep?.('answered');
  if (outcome.paid !== undefined) return outcome.paid;
  if (signal?.aborted) throw outcome.rejected;

  const fresh = await createPayment(option, challenge, plan, { nonce: payment.nonce, signal });
  onStep?.('signed');
  if (signal?.aborted) throw outcome.rejected;
  const second = await present(send, fresh);
  onStep?.('answered');
  if (second.paid === undefined) throw second.rejected;
  return second.paid;
}

/** `AbortSignal.throwIfAborted` is younger than Node 16, on which old editors run. */
function throwIfAborted(signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return;
  const error = new Error('The payment was called off before it was made.');
  error.name = 'AbortError';
  throw error;
}

type Outcome<R extends HttpResponse> =
  | { readonly paid: PaidResponse<R> }
  /** Refused, never submitted, and for a reason that may be gone in a moment. */
  | { readonly paid: undefined; readonly rejected: PaymentRejectedError };

/** Presents a payment once, and reads what became of it. */
async function present<R extends HttpResponse>(
  send: (headers: Readonly<Record<string, string>>) => Promise<R>,
  { payload, option, expirationLedger }: SignedPayment,
): Promise<Outcome<R>> {
  let response: R;
  try {
    response = await send({ [PAYMENT_SIGNATURE_HEADER]: encodeHeaderMessage(payload) });
  } catch (cause) {
    throw new PaymentOutcomeUnknownError(
      'The request that carried the payment got no answer: it may still settle.',
      expirationLedger,
      { cause },
    );
  }
  const settlement = readSettlement(response);
  const good = response.status >= 200 && response.status < 300;
  if (settlement === undefined) {
    if (good) return { paid: { response, payment: { option, settlement } } };
    if (response.status === 402) throw rejectedAtVerify(response);
    throw new PaymentOutcomeUnknownError(
      `The paid request was answered ${response.status} without a word of the payment.`,
      expirationLedger,
    );
  }
  if (settlement.success) {
    if (good) return { paid: { response, payment: { option, settlement } } };
    throw new SettledWithoutResourceError(settlement.transaction, response.status);
  }
  const { errorReason, errorMessage, transaction } = settlement;
  const reason = errorReason ?? 'no reason given';
  const rejected = new PaymentRejectedError(reason, transaction, errorMessage ?? undefined);
  if (transaction === '' && PASSING_REASONS.has(reason)) return { paid: undefined, rejected };
  throw rejected;
}

/** Reasons of a settlement that was never submitted, which a fresh signature may get past. */
const PASSING_REASONS: ReadonlySet<string> = new Set([
  'settle_exact_stellar_transaction_submission_failed',
  'settle_exact_stellar_transaction_failed',
]);

/** A 402 without `PAYMENT-RESPONSE` was refused at verification; the new terms say why. */
function rejectedAtVerify(response: HttpResponse): PaymentRejectedError {
  let challenge: Challenge | undefined;
  try {
    challenge = readChallenge(response);
  } catch {
    // The refusal stands, also when its terms cannot be read.
  }
  return new PaymentRejectedError(challenge?.error ?? 'no reason given', '');
}
