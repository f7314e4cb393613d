import { z } from 'zod';

/** Why a settled payment was not cataloged (spec: Catalog reasons). */
export const CATALOG_REASONS = [
  'no_discovery_extension',
  'invalid_payto',
  'ownership_tombstone_mismatch',
  'unbound_payto',
  'schema_validation_failed',
  'binding_refused',
  'invalid_tool_name',
  'cataloging_error',
] as const;

export type CatalogReason = (typeof CATALOG_REASONS)[number];

/**
 * The catalog's result for a settled payment, in both vocabularies: `cataloged` and `reason` are
 * the specification's, `status` and `rejectedReason` the canonical client's.
 */
export const bazaarResponseSchema = z.union([
  z.object({ status: z.enum(['success', 'processing']), cataloged: z.boolean() }),
  z.object({
    status: z.literal('rejected'),
    cataloged: z.literal(false),
    rejectedReason: z.enum(CATALOG_REASONS),
    reason: z.enum(CATALOG_REASONS),
  }),
]);

/** The decoded `extension-responses` header: an object keyed by extension name. */
export const extensionResponsesSchema = z.looseObject({ bazaar: bazaarResponseSchema.optional() });

export type BazaarResponse = z.infer<typeof bazaarResponseSchema>;
export type ExtensionResponses = z.infer<typeof extensionResponsesSchema>;

/** Returns the response for a payment that was settled but not cataloged. */
export function notCataloged(reason: CatalogReason): BazaarResponse {
  return { status: 'rejected', cataloged: false, rejectedReason: reason, reason };
}
