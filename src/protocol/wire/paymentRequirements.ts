import { z } from 'zod';

/**
 * `paymentRequirements` on the wire (spec: paymentRequirements).
 * Only the shape is checked here: the scheme checks whether the amount and the addresses are valid,
 * because each of those failures has its own reason code.
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
