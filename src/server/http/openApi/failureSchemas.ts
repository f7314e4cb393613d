import { z } from 'zod';
import type { ErrorCode } from '../../../protocol/index.ts';
import { settleResponseSchema, verifyResponseSchema } from '../../../protocol/wire/index.ts';
import type { Endpoint } from '../errorBodies.ts';

/** The members of every failure in addition to the canonical ones. */
function superset(codes: readonly ErrorCode[]) {
  return {
    /** The name on the wire. */
    error: z.string(),
    /** Our own name of the failure. */
    reason: z.enum(codes),
    extra: z.object({
      code: z.string(),
      cause: z.enum(codes),
      moneyMoved: z.enum(['no', 'not_yet', 'yes', 'fees', 'unknown']),
      transaction: z.string().optional(),
      ledger: z.number().optional(),
      /** Last ledger in which the authorization can still pay. */
      payableUntil: z.number().optional(),
    }),
  };
}

/** The body of a failure with one of `codes`. */
export function failureSchema(endpoint: Endpoint, codes: readonly ErrorCode[]): z.ZodType {
  switch (endpoint) {
    case 'verify':
      return verifyResponseSchema.extend({
        isValid: z.literal(false),
        invalidReason: z.string(),
        invalidMessage: z.string(),
        errorReason: z.string(),
        ...superset(codes),
      });
    case 'settle':
      return settleResponseSchema.extend({
        success: z.literal(false),
        errorReason: z.string(),
        errorMessage: z.string(),
        ...superset(codes),
      });
    case 'settlements':
    case 'discovery':
    case 'mcp':
    case 'other':
      return z.object({ message: z.string(), ...superset(codes) });
  }
}
