import { ERROR_TABLE, type MoneyMoved } from '../protocol/index.ts';
import {
  type AuthorizationKey,
  authorizationKey,
  decodePaymentEnvelope,
  type PaymentEnvelope,
  readAuthorization,
} from '../protocol/stellar/index.ts';
import {
  type PaymentRequirements,
  type SettleResponse,
  settleResponseSchema,
  verifyResponseSchema,
} from '../protocol/wire/index.ts';
import type { Offer, SellerRequest } from './offer.ts';
import type {
  FacilitatorAnswer,
  PresentedPayment,
  SettlementOutcome,
  Verdict,
} from './sellerProtocol.ts';

// What the protocols have in common: on Stellar, a payment of each is the same signed transfer, which the same facilitator settles.

/** With this name, terms say for which request they are (decision 0105). */
export const SALE = 'payment-identifier';

/** What a response says if a facilitator never answered. */
const NO_ANSWER = 'The facilitator did not answer.';

/**
 * Returns the terms of an offer. They name method and resource, so a payment that was signed for one request does not match the
 * terms of another one.
 */
export function requirementsOf(
  offer: Offer,
  { method, target }: SellerRequest,
): PaymentRequirements {
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

/** The one authorization of a payment. */
export interface Authorization {
  readonly payer: string;
  readonly key: AuthorizationKey;
}

function authorizationIn(envelope: PaymentEnvelope): Authorization | undefined {
  if (envelope.plain !== undefined) {
    const { address, nonce } = envelope.plain.authorization;
    return { payer: address, key: authorizationKey(address, nonce) };
  }
  const [entry, ...others] = envelope.authorizations;
  const read = entry && readAuthorization(entry);
  if (read?.address === undefined || others.length > 0) return undefined;
  return { payer: read.address, key: authorizationKey(read.address, read.nonce) };
}

/** Returns payer and key of the one authorization in a transaction, or why it has another form. */
export function readPaymentTransaction(
  transaction: unknown,
): ({ readonly ok: true } & Authorization) | { readonly ok: false; readonly reason: string } {
  const decoded = decodePaymentEnvelope(transaction);
  const authorization = decoded.ok ? authorizationIn(decoded.envelope) : undefined;
  if (authorization !== undefined) return { ok: true, ...authorization };
  const code = decoded.ok ? 'payload_malformed' : decoded.code;
  return { ok: false, reason: ERROR_TABLE[code].reason };
}

export function readVerdict(answer: FacilitatorAnswer, payment: PresentedPayment): Verdict {
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

export function readOutcome(answer: FacilitatorAnswer, again: boolean): SettlementOutcome {
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
