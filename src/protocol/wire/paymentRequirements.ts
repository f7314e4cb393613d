import { z } from 'zod';

/**
 * `paymentRequirements` as it stands on the wire (spec: paymentRequirements).
 * Only the shape is judged here: whether the amount is an amount and the addresses are addresses
 * is judged by the scheme, because each of those failures has a reason code of its own.
 */
export const paymentRequirementsSchema = z.object({
  scheme: z.string(),
  network: z.string(),
  asset: z.string(),
  amount: z.string(),
  payTo: z.string(),
  maxTimeoutSeconds: z.number().positive(),
  extra: z.record(z.string(), z.unknown()).nullish(),
});

export type PaymentRequirements = z.infer<typeof paymentRequirementsSchema>;
