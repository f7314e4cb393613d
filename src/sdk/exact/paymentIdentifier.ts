import type { Challenge } from './challenge.ts';
import type { Platform } from './platform.ts';

/** Name of the extension in challenges, payloads and `/supported` (x402 PR #1079). */
export const PAYMENT_IDENTIFIER = 'payment-identifier';

const FORM = /^[a-zA-Z0-9_-]{16,128}$/;

type JsonObject = Readonly<Record<string, unknown>>;

function objectOf(value: unknown): JsonObject | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as JsonObject) : undefined;
}

function freshId(platform: Platform): string {
  const bytes = [...platform.randomBytes(16)];
  return `pay_${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** Returns whether a string is a valid payment identifier: 16 to 128 letters, digits, `_` or `-`. */
export function isPaymentId(id: string): boolean {
  return FORM.test(id);
}

/**
 * Adds the sale's identifier to the extensions that the buyer echoes, if the seller accepts one or the
 * buyer provides one. Every repeat of the same payment under the same identifier gets the same response;
 * another payment under it is refused. The seller's own declaration stays unchanged.
 * @param paymentId the buyer's identifier for the sale; a random one without it
 * @throws RangeError if the identifier is malformed
 */
export function nameSale(
  challenge: Challenge,
  paymentId: string | undefined,
  platform: Platform,
): Challenge {
  if (paymentId !== undefined && !isPaymentId(paymentId)) {
    throw new RangeError('A payment identifier has 16 to 128 letters, digits, _ or -.');
  }
  const declared = objectOf(challenge.extensions?.[PAYMENT_IDENTIFIER]);
  if (declared === undefined && paymentId === undefined) return challenge;
  const info = {
    required: false,
    ...objectOf(declared?.['info']),
    id: paymentId ?? freshId(platform),
  };
  const extensions = { ...challenge.extensions, [PAYMENT_IDENTIFIER]: { ...declared, info } };
  return { ...challenge, extensions };
}
