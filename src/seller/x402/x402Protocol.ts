import {
  decodeHeaderMessage,
  encodeHeaderMessage,
  PAYMENT_REQUIRED_HEADER,
  PAYMENT_RESPONSE_HEADER,
  PAYMENT_SIGNATURE_HEADER,
  X402_VERSION,
} from '../../protocol/index.ts';
import { paymentPayloadSchema } from '../../protocol/wire/index.ts';
import {
  readOutcome,
  readPaymentTransaction,
  readVerdict,
  requirementsOf,
  SALE,
} from '../exactPayment.ts';
import type { Offer, SellerRequest } from '../offer.ts';
import type { ReadPayment, SellerProtocol } from '../sellerProtocol.ts';

/** Whether a buyer's copy has everything that the terms have, with equal values; further members do no harm. */
function contains(copy: unknown, terms: unknown): boolean {
  if (typeof terms !== 'object' || terms === null) return Object.is(copy, terms);
  if (typeof copy !== 'object' || copy === null || Array.isArray(copy) !== Array.isArray(terms)) {
    return false;
  }
  const read: Readonly<Record<string, unknown>> = { ...copy };
  return Object.entries(terms).every(([name, value]) => contains(read[name], value));
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
  const authorization = readPaymentTransaction(payload.transaction);
  if (!authorization.ok) return authorization;
  const { payer, key } = authorization;
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
      ...{ payer, key },
      amount: offer.amount,
      facilitatorBody,
      fingerprint: String(payload.transaction),
    },
  };
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
