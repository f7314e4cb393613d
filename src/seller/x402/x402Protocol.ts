import {
  decodeHeaderMessage,
  ERROR_TABLE,
  encodeHeaderMessage,
  type MoneyMoved,
  PAYMENT_REQUIRED_HEADER,
  PAYMENT_RESPONSE_HEADER,
  PAYMENT_SIGNATURE_HEADER,
  X402_VERSION,
} from '../../protocol/index.ts';
import {
  type AuthorizationKey,
  authorizationKey,
  decodePaymentEnvelope,
  type PaymentEnvelope,
  readAuthorization,
} from '../../protocol/stellar/index.ts';
import {
  type PaymentRequirements,
  paymentPayloadSchema,
  type SettleResponse,
  settleResponseSchema,
  verifyResponseSchema,
} from '../../protocol/wire/index.ts';
import type { Offer, SellerRequest } from '../offer.ts';
import type {
  FacilitatorAnswer,
  PresentedPayment,
  ReadPayment,
  SellerProtocol,
  SettlementOutcome,
  Verdict,
} from '../sellerProtocol.ts';

/** With this name, terms say for which request they are (decision 0105). */
const SALE = 'payment-identifier';

/** What a response says if a facilitator never answered. */
const NO_ANSWER = 'The facilitator did not answer.';

/**
 * Returns the terms of an offer. They name method and resource, so a payment that was signed for one request does not match the
 * terms of another one.
 */
function requirementsOf(offer: Offer, { method, target }: SellerRequest): PaymentRequirements {
  const { network, asset, amount, payTo, maxTimeoutSeconds, extra } = offer;
  return {
    scheme: 'exact',
    network,
    asset,
    amount: amount.toString(),
    payTo,
    maxTimeoutSeconds,
    extra: { ...extra, [SALE]: { method, resource: target } },
  };
}

/** Whether a buyer's copy has everything that the terms have, with equal values; further members do no harm. */
function contains(copy: unknown, terms: unknown): boolean {
  if (typeof terms !== 'object' || terms === null) return Object.is(copy, terms);
  if (typeof copy !== 'object' || copy === null || Array.isArray(copy) !== Array.isArray(terms)) {
    return false;
  }
  const read: Readonly<Record<string, unknown>> = { ...copy };
  return Object.entries(terms).every(([name, value]) => contains(read[name], value));
}

/** Returns payer and key of the one authorization in a payment; `undefined` if it has another form. */
function authorizationIn(
  envelope: PaymentEnvelope,
): { readonly payer: string; readonly key: AuthorizationKey } | undefined {
  if (envelope.plain !== undefined) {
    const { address, nonce } = envelope.plain.authorization;
    return { payer: address, key: authorizationKey(address, nonce) };
  }
  const [entry, ...others] = envelope.authorizations;
  const read = entry && readAuthorization(entry);
  if (read?.address === undefined || others.length > 0) return undefined;
  return { payer: read.address, key: authorizationKey(read.address, read.nonce) };
}

function read(request: SellerRequest, offer: Offer): ReadPayment | undefined {
  const header = request.header(PAYMENT_SIGNATURE_HEADER);
  if (header === undefined) return undefined;
  const parsed = paymentPayloadSchema.safeParse(decodeHeaderMessage(header));
  if (!parsed.success || parsed.data.x402Version !== X402_VERSION) {
    return { ok: false, reason: 'invalid_payload' };
  }
  const { accepted, payload, extensions } = parsed.data;
  const terms = requirementsOf(offer, request);
  if (!contains(accepted, terms)) return { ok: false, reason: 'no_matching_payment_requirements' };
  const decoded = decodePaymentEnvelope(payload.transaction);
  const authorization = decoded.ok ? authorizationIn(decoded.envelope) : undefined;
  if (authorization === undefined) {
    const code = decoded.ok ? 'payload_malformed' : decoded.code;
    return { ok: false, reason: ERROR_TABLE[code].reason };
  }
  const identifier = extensions?.[SALE];
  const facilitatorBody = {
    x402Version: X402_VERSION,
    paymentPayload: {
      x402Version: X402_VERSION,
      payload,
      accepted,
      // A buyer's echo could say anything about the resource: the catalog gets the seller's own words.
      resource: offer.resource,
      extensions: {
        ...offer.extensions,
        ...(identifier === undefined ? {} : { [SALE]: identifier }),
      },
    },
    paymentRequirements: terms,
  };
  return {
    ok: true,
    payment: {
      ...authorization,
      amount: offer.amount,
      facilitatorBody,
      fingerprint: String(payload.transaction),
    },
  };
}

function readVerdict(answer: FacilitatorAnswer, payment: PresentedPayment): Verdict {
  const parsed = verifyResponseSchema.safeParse(answer?.body);
  if (!parsed.success) return { valid: 'unknown', message: NO_ANSWER };
  const { isValid, invalidReason, invalidMessage, payer } = parsed.data;
  if (isValid) return { valid: true, payer: payer ?? payment.payer };
  const message = invalidMessage ?? '';
  // A facilitator that is busy or not ready judges nothing about the payment.
  if (answer !== undefined && (answer.status === 429 || answer.status >= 500)) {
    return { valid: 'unknown', message: message === '' ? NO_ANSWER : message };
  }
  return { valid: false, reason: invalidReason ?? 'invalid_payment', message };
}

/** What a refused settlement says about the money; `undefined` if the facilitator does not say it. */
function moneyMovedIn({ extra }: SettleResponse): MoneyMoved | undefined {
  const moved = extra?.['moneyMoved'];
  const known: readonly unknown[] = ['no', 'yes', 'fees', 'not_yet', 'unknown'];
  return known.includes(moved) ? (moved as MoneyMoved) : undefined;
}

function readOutcome(answer: FacilitatorAnswer, again: boolean): SettlementOutcome {
  const parsed = settleResponseSchema.safeParse(answer?.body);
  if (!parsed.success) return { paid: 'unknown', reason: NO_ANSWER, receipt: undefined };
  const receipt = parsed.data;
  const { success, transaction } = receipt;
  if (success) return { paid: 'yes', receipt };
  const reason = receipt.errorReason ?? 'settlement_failed';
  const hash = receipt.extra?.['transaction'];
  switch (moneyMovedIn(receipt)) {
    case 'no':
    case 'fees':
      return { paid: 'no', reason, receipt };
    case 'yes':
      // The answer to an earlier attempt of this sale was lost, and the authorization is used up: it paid for this sale.
      // At the first attempt it paid for something else.
      if (!again) return { paid: 'no', reason, receipt };
      return {
        paid: 'yes',
        receipt: settledOf(receipt, typeof hash === 'string' ? hash : transaction),
      };
    case 'not_yet':
    case 'unknown':
      return { paid: 'unknown', reason, receipt };
    case undefined:
      // Facilitators that say nothing about the money: a pending one is asked again, any other has decided.
      return reason === 'settlement_pending' || (answer?.status ?? 0) >= 500
        ? { paid: 'unknown', reason, receipt }
        : { paid: 'no', reason, receipt };
  }
}

/** The receipt of a payment whose own answer was lost. */
function settledOf({ network, payer }: SettleResponse, transaction: string): SettleResponse {
  return { success: true, transaction, network, ...(payer ? { payer } : {}) };
}

/**
 * x402 version 2, scheme `exact` on Stellar: terms in `PAYMENT-REQUIRED`, the payment in `PAYMENT-SIGNATURE`, the settlement in
 * `PAYMENT-RESPONSE`.
 */
export const x402Protocol: SellerProtocol = {
  name: 'x402',
  requestHeaders: [PAYMENT_SIGNATURE_HEADER.toLowerCase(), 'x-payment'],
  responseHeaders: [PAYMENT_REQUIRED_HEADER, PAYMENT_RESPONSE_HEADER],
  challenge(offer, request, error) {
    const terms = {
      x402Version: X402_VERSION,
      error: error ?? 'Payment required',
      resource: offer.resource,
      accepts: [requirementsOf(offer, request)],
      extensions: offer.extensions,
    };
    return { headers: [[PAYMENT_REQUIRED_HEADER, encodeHeaderMessage(terms)]], body: terms };
  },
  read,
  verification: ({ facilitatorBody: body }) => ({ path: '/verify', body }),
  readVerdict,
  settlement: ({ facilitatorBody: body }) => ({ path: '/settle', body }),
  readOutcome,
  receipt: (receipt) => [[PAYMENT_RESPONSE_HEADER, encodeHeaderMessage(receipt)]],
};
