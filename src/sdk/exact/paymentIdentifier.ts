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

/** Whether a text may name a sale: 16 to 128 letters, digits, `_` or `-`. */
export function isPaymentId(id: string): boolean {
  return FORM.test(id);
}

/**
 * Names the sale in what the buyer echoes, where the seller takes names, or where the buyer gives one.
 * The same name and payment get the same answer as often as they are sent; another payment under the
 * name is refused. What the seller declared stays as it is.
 * @param paymentId the buyer's own name for the sale; a random one without it
 * @throws RangeError when the name does not have the form
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
