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
 * sale by the identifier.
 */
export function isSameSale(record: SettlementRecord, request: FacilitatorRequest): boolean {
  return (
    record.paymentId !== undefined &&
    record.paymentId === paymentIdentifierOf(request) &&
    isDeclared(request)
  );
}
