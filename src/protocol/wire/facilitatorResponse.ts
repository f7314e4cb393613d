import { z } from 'zod';

/** Response of `POST /verify`, a superset of the canonical one. */
export const verifyResponseSchema = z.object({
  isValid: z.boolean(),
  invalidReason: z.string().nullish(),
  invalidMessage: z.string().nullish(),
  payer: z.string().nullish(),
  /** The same reason under the name that the specification uses for an empty body. */
  errorReason: z.string().nullish(),
  extra: z.record(z.string(), z.unknown()).nullish(),
});

/** Response of `POST /settle` (spec: Settle response), a superset of the canonical one. */
export const settleResponseSchema = z.object({
  success: z.boolean(),
  /** Settlement hash; empty if the transaction was never submitted. */
  transaction: z.string(),
  network: z.string(),
  payer: z.string().nullish(),
  /** The settled amount, in atomic units. */
  amount: z.string().nullish(),
  errorReason: z.string().nullish(),
  errorMessage: z.string().nullish(),
  extra: z.record(z.string(), z.unknown()).nullish(),
});

/** One entry in the response of `GET /supported`. */
const supportedKindSchema = z.object({
  x402Version: z.number(),
  scheme: z.string(),
  network: z.string(),
  extra: z.record(z.string(), z.unknown()).optional(),
});

/** Response of `GET /supported`. */
export const supportedResponseSchema = z.object({
  kinds: z.array(supportedKindSchema),
  extensions: z.array(z.string()),
  signers: z.record(z.string(), z.array(z.string())),
});

export type VerifyResponse = z.infer<typeof verifyResponseSchema>;
export type SettleResponse = z.infer<typeof settleResponseSchema>;
export type SupportedResponse = z.infer<typeof supportedResponseSchema>;
