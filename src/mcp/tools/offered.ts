import type { z } from 'zod';

/**
 * A schema that accepts more than it offers: models are shown the parameters of `shown` alone.
 * @param accepted judges a call, and may have parameters for other clients
 */
export function offered<T extends z.ZodType>(accepted: T, shown: z.ZodType): T {
  const { jsonSchema } = shown['~standard'] as { readonly jsonSchema?: unknown };
  const judged = accepted['~standard'];
  return { '~standard': { ...judged, vendor: judged.vendor, jsonSchema } } as unknown as T;
}
