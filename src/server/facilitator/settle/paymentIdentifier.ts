import { z } from 'zod';
import type { FacilitatorRequest } from '../../../protocol/wire/index.ts';
import type { SettlementRecord } from '../../settlement/index.ts';

/** The name of the extension in terms, payloads and `/supported` (x402 PR #1079). */
export const PAYMENT_IDENTIFIER = 'payment-identifier';

const extensionSchema = z.looseObject({
  info: z.looseObject({ id: z.string().regex(/^[a-zA-Z0-9_-]{16,128}$/) }),
});

/** The seller's declaration, `paymentRequirements.extra["payment-identifier"]`: which sale the terms are for. */
const declarationSchema = z.looseObject({
  method: z.string().min(1),
  resource: z.string().min(1),
});

/** A repeat within these ten minutes is answered, however short the seller's time limit is. */
const MIN_REPEATED_MS = 600_000;
/**
 * No repeat is answered after a day, however long the seller's time limit is: a seller has to know a sale for longer than it
 * is answered, or it would serve it again.
 */
const MAX_REPEATED_MS = 24 * 3_600_000;

/** Returns the buyer's identifier of the sale; `undefined` without the extension or a valid id. */
export function paymentIdentifierOf({ paymentPayload }: FacilitatorRequest): string | undefined {
  const read = extensionSchema.safeParse(paymentPayload.extensions?.[PAYMENT_IDENTIFIER]);
  return read.success ? read.data.info.id : undefined;
}

/**
 * Whether the seller recognizes the sale, and for which method and resource. Only its own terms can say so: a buyer writes
 * everything in the payload, the echoed extensions too.
 */
function isDeclared({ paymentRequirements: { extra } }: FacilitatorRequest): boolean {
  return declarationSchema.safeParse(extra?.[PAYMENT_IDENTIFIER]).success;
}

/**
 * Whether a request that is identical to the first one may be answered every time: its seller declared that it recognizes the
 * sale by the identifier, and waits for the payment no longer than `maxTimeoutSeconds`.
 * @param now milliseconds since the epoch
 */
export function isSameSale(
  record: SettlementRecord,
  request: FacilitatorRequest,
  now: number,
): boolean {
  const limitMs = request.paymentRequirements.maxTimeoutSeconds * 1_000;
  return (
    record.paymentId !== undefined &&
    record.paymentId === paymentIdentifierOf(request) &&
    isDeclared(request) &&
    now - record.claimedAt <= Math.min(Math.max(limitMs, MIN_REPEATED_MS), MAX_REPEATED_MS)
  );
}
