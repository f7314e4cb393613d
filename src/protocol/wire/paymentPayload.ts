import { z } from 'zod';
import { paymentRequirementsSchema } from './paymentRequirements.ts';

/** The seller's description of the resource, which the buyer echoes (x402 v2: ResourceInfo). */
export const resourceInfoSchema = z.looseObject({
  url: z.string(),
  description: z.string().nullish(),
  mimeType: z.string().nullish(),
  serviceName: z.string().nullish(),
  tags: z.array(z.string()).nullish(),
  iconUrl: z.string().nullish(),
});

/**
 * `paymentPayload` (spec: paymentPayload). `resource` and `extensions` are echoes that only the
 * catalog reads: a payment is not refused because of their contents.
 */
export const paymentPayloadSchema = z.object({
  x402Version: z.number(),
  accepted: paymentRequirementsSchema,
  payload: z.looseObject({ transaction: z.unknown().optional() }),
  extensions: z.looseObject({ bazaar: z.unknown().optional() }).nullish(),
  resource: z.unknown().optional(),
});

export type PaymentPayload = z.infer<typeof paymentPayloadSchema>;
