import { z } from 'zod';
import { resourceInfoSchema } from './paymentPayload.ts';
import { paymentRequirementsSchema } from './paymentRequirements.ts';

/** The terms a seller sends with `402`, in the `PAYMENT-REQUIRED` header. */
export const paymentRequiredSchema = z.object({
  x402Version: z.number(),
  error: z.string().nullish(),
  resource: resourceInfoSchema.nullish(),
  accepts: z.array(paymentRequirementsSchema),
  extensions: z.record(z.string(), z.unknown()).nullish(),
});
