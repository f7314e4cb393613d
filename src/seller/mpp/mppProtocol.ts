import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { type AtomicAmount, X402_VERSION } from '../../protocol/index.ts';
import {
  ACCEPT_PAYMENT_HEADER,
  acceptsCharge,
  CHARGE_INTENT,
  challengeText,
  chargeRequest,
  encodeJson,
  isPaymentScheme,
  type MppChallenge,
  type MppCredential,
  PAYMENT_RECEIPT_HEADER,
  type ProblemName,
  problemOf,
  readChargeRequest,
  readCredential,
  readSource,
  STELLAR_METHOD,
  writeChallenge,
  writeReceipt,
} from '../../protocol/mpp/index.ts';
import {
  readOutcome,
  readPaymentTransaction,
  readVerdict,
  requirementsOf,
} from '../exactPayment.ts';
import type { Offer, SellerRequest } from '../offer.ts';
import type { ReadPayment, RefusedAt, SellerProtocol } from '../sellerProtocol.ts';

/** What the ids of challenges depend on. */
export interface MppSecrets {
  /** Key of the HMAC of challenge ids. Sellers that share their sales share it too. */
  readonly secret: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** A longer target is named in `opaque` by its digest. */
const MAX_TARGET = 1_024;

/** The headers of MPP, which do not depend on its secret. */
export const MPP_HEADERS = {
  requestHeaders: [ACCEPT_PAYMENT_HEADER.toLowerCase()],
  responseHeaders: ['WWW-Authenticate', PAYMENT_RECEIPT_HEADER],
  vary: ['authorization', ACCEPT_PAYMENT_HEADER.toLowerCase()],
  carriesPayment: (header: SellerRequest['header']) =>
    isPaymentScheme(header('authorization') ?? ''),
} as const;

/**
 * MPP: one charge on Stellar, paid with a signed transfer whose network fee the seller's facilitator pays. Terms are in
 * `WWW-Authenticate`, the payment in `Authorization`, the receipt in `Payment-Receipt`. Nothing is stored for a challenge: its id
 * is an HMAC over realm, terms, expiry, the digest of the body, and `opaque`, which names method and target.
 */
export function mppProtocol({ secret, now }: MppSecrets): SellerProtocol {
  const idOf = (challenge: Omit<MppChallenge, 'id'>): string =>
    createHmac('sha256', secret).update(challengeText(challenge)).digest('base64url');

  function read(request: SellerRequest, offer: Offer): ReadPayment | undefined {
    const header = request.header('authorization');
    if (header === undefined || !isPaymentScheme(header)) return undefined;
    const refused = (reason: ProblemName): ReadPayment => ({ ok: false, reason });
    const credential = readCredential(header);
    if (credential === undefined) return refused('malformed-credential');
    const { challenge, source, payload } = credential;
    if (challenge.method !== STELLAR_METHOD || challenge.intent !== CHARGE_INTENT) {
      return refused('method-unsupported');
    }
    const isOurs = isSame(challenge.id, idOf(challenge));
    if (!isOurs || !isFor(challenge, request, offer)) return refused('invalid-challenge');
    const charge = readChargeRequest(challenge.request);
    if (charge === undefined) return refused('invalid-challenge');
    // Payments that a buyer submits by itself cannot be settled here. This is not a 402: the buyer may have paid already.
    if (payload['type'] !== 'transaction') return refused('method-unsupported');
    const { transaction } = payload;
    const authorization = readPaymentTransaction(transaction);
    if (!authorization.ok) return authorization;
    const { payer, key } = authorization;
    if (source !== undefined && readSource(source, offer.network) !== payer) {
      return refused('verification-failed');
    }
    const { amount, currency: asset, recipient: payTo } = charge;
    // The seller's own words of then, as the HMAC shows: the price may have changed since.
    const asked = { ...offer, amount: BigInt(amount) as AtomicAmount, asset };
    const terms = { ...requirementsOf(asked, request), payTo };
    const facilitatorBody = {
      x402Version: X402_VERSION,
      paymentPayload: {
        x402Version: X402_VERSION,
        payload: { transaction },
        accepted: terms,
        resource: offer.resource,
        extensions: offer.extensions,
      },
      paymentRequirements: terms,
    };
    return {
      ok: true,
      payment: {
        ...{ payer, key, amount: asked.amount, facilitatorBody },
        fingerprint: `${challenge.id} ${transaction}`,
        tooLate: whyTooLate(credential, offer, now()),
      },
    };
  }

  return {
    name: 'mpp',
    ...MPP_HEADERS,
    negotiate(request) {
      const accepts = acceptsCharge(request.header(ACCEPT_PAYMENT_HEADER));
      // Some clients of MPP fail if they see terms of x402 on Stellar.
      if (accepts === undefined) return 'also';
      return accepts ? 'alone' : 'never';
    },
    challenge(offer, request, error, at) {
      const terms = {
        ...{ realm: realmOf(offer), method: STELLAR_METHOD, intent: CHARGE_INTENT },
        request: chargeRequest(offer),
        expires: new Date(now() + offer.maxTimeoutSeconds * 1_000).toISOString(),
        digest: digestOf(request),
        opaque: opaqueOf(request),
      };
      const id = idOf(terms);
      const problem = problemFor(error, at);
      return {
        headers: [['WWW-Authenticate', writeChallenge({ id, ...terms })]],
        body: { ...problem, challengeId: id, error: error ?? 'Payment required' },
        contentType: 'application/problem+json',
        ...(problem.status === 402 ? {} : { status: problem.status }),
      };
    },
    read,
    verification: ({ facilitatorBody: body }) => ({ path: '/verify', body }),
    readVerdict,
    settlement: ({ facilitatorBody: body }) => ({ path: '/settle', body }),
    readOutcome(answer, again) {
      const outcome = readOutcome(answer, again);
      if (outcome.paid !== 'yes') return outcome;
      return {
        ...outcome,
        receipt: { ...outcome.receipt, settledAt: new Date(now()).toISOString() },
      };
    },
    receipt(receipt, status) {
      // On failures there is none, whatever became of the money.
      if (status < 200 || status > 299) return [];
      const { transaction, settledAt } = receipt as Readonly<Record<string, unknown>>;
      const written = writeReceipt({
        ...{ method: STELLAR_METHOD, reference: String(transaction), status: 'success' },
        ...(typeof settledAt === 'string' ? { timestamp: settledAt } : {}),
      });
      return [[PAYMENT_RECEIPT_HEADER, written]];
    },
  };
}

/** Compares in a time that does not depend on where they differ. */
function isSame(given: string, right: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(right);
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Returns the host that buyers ask, which is the realm: a URL's host has no quotes and no line ends. */
function realmOf({ resource: { url } }: Offer): string {
  return URL.canParse(url) ? new URL(url).host : 'svc-x402';
}

/** The id of a challenge covers no request, so `opaque` says for which one it is. */
function opaqueOf({ method, target }: SellerRequest): string {
  const named =
    target.length > MAX_TARGET
      ? `sha-256=${createHash('sha256').update(target).digest('base64')}`
      : target;
  return encodeJson({ resource: `${method} ${named}` });
}

function digestOf({ bodyDigest }: SellerRequest): string | undefined {
  return bodyDigest === '' ? undefined : `sha-256=${bodyDigest}`;
}

/** Whether a challenge of ours was made for this request. Without a digest, the sale alone binds the body. */
function isFor(challenge: MppChallenge, request: SellerRequest, offer: Offer): boolean {
  const { realm, opaque, digest } = challenge;
  if (realm !== realmOf(offer) || opaque !== opaqueOf(request)) return false;
  return digest === undefined || digest === digestOf(request);
}

/** Why no sale can begin with a credential any more. */
function whyTooLate(
  { challenge: { expires, request } }: MppCredential,
  offer: Offer,
  now: number,
): ProblemName | undefined {
  const until = Date.parse(expires ?? '');
  if (!(now <= until)) return 'payment-expired';
  return request === chargeRequest(offer) ? undefined : 'invalid-challenge';
}

/** A sentence for each problem. None of them repeats what the buyer sent. */
const DETAILS: Readonly<Record<ProblemName, string>> = {
  'payment-required': 'Pay with MPP or x402.',
  'payment-insufficient': 'The payment is for another amount than the price.',
  'payment-expired': 'The challenge has expired. Sign a payment for the new one.',
  'verification-failed': 'The payment was not accepted. Its reason is in the member error.',
  'malformed-credential':
    'The credential is not base64url of a JSON object with challenge and payload.',
  'invalid-challenge':
    'The challenge was not made here for this request and its price. Sign a payment for the new one.',
  'method-unsupported':
    'Only charges on Stellar are accepted, paid with a signed transaction whose fee the seller pays.',
  'settlement-failed': 'The payment did not settle. Its reason is in the member error.',
};

/** Returns the problem for a reason: a name of MPP, or a code of ours or of the facilitator. */
function problemFor(error: string | undefined, at: RefusedAt | undefined) {
  const name = nameFor(error, at);
  return problemOf(name, DETAILS[name]);
}

function nameFor(error: string | undefined, at: RefusedAt | undefined): ProblemName {
  if (error === undefined) return 'payment-required';
  if (Object.hasOwn(DETAILS, error)) return error as ProblemName;
  if (at === 'settling') return 'settlement-failed';
  return error.endsWith('_wrong_amount') ? 'payment-insufficient' : 'verification-failed';
}
