import { z } from 'zod';
import type { FacilitatorRequest } from '../../../protocol/wire/index.ts';

/** The name of the extension in a payload and in `/supported` (x402 PR #1079). */
export const PAYMENT_IDENTIFIER = 'payment-identifier';

const extensionSchema = z.looseObject({
  info: z.looseObject({ id: z.string().regex(/^[a-zA-Z0-9_-]{16,128}$/) }),
});

/** Returns the buyer's identifier of the sale; `undefined` without the extension or a valid id. */
export function paymentIdentifierOf({ paymentPayload }: FacilitatorRequest): string | undefined {
  const read = extensionSchema.safeParse(paymentPayload.extensions?.[PAYMENT_IDENTIFIER]);
  return read.success ? read.data.info.id : undefined;
}
