import { z } from 'zod';

const optionSchema = z.object({
  scheme: z.string(),
  network: z.string(),
  asset: z.string(),
  /** Atomic units. */
  amount: z.string(),
  payTo: z.string(),
  maxTimeoutSeconds: z.number(),
  extra: z.record(z.string(), z.unknown()),
});

const trustSchema = z.object({
  settlements: z.number().int().nonnegative(),
  uniquePayers: z.number().int().nonnegative(),
  observedSettlements: z.number().int().nonnegative(),
  statsSource: z.enum(['observed', 'persisted']),
  ownerVerified: z.boolean(),
  verification: z.literal('unknown'),
  acceptsVerification: z.literal('unknown'),
  /** ISO 8601. */
  lastSettledAt: z.string(),
  /** On the embedded network alone: what the check of a seller on this machine found. */
  localCheck: z.boolean().optional(),
});

/** A resource of the catalog (spec: Catalog entry), a superset of the canonical one. */
export const discoveryResourceSchema = z.object({
  resource: z.string(),
  type: z.enum(['http', 'mcp']),
  x402Version: z.literal(2),
  accepts: z.array(optionSchema),
  /** ISO 8601. */
  lastUpdated: z.string(),
  description: z.string().optional(),
  mimeType: z.string().optional(),
  serviceName: z.string().optional(),
  tags: z.array(z.string()).optional(),
  iconUrl: z.string().optional(),
  method: z.string().optional(),
  toolName: z.string().optional(),
  /** Echoed by buyers, within bounds; `bazaar` has the inputs and outputs. */
  extensions: z.record(z.string(), z.unknown()),
  trust: trustSchema,
});

/** Names of query parameters that had no effect. */
const unappliedFilters = z.array(z.string()).optional();

const offsetPagination = z.object({
  limit: z.number().int(),
  offset: z.number().int(),
  total: z.number().int(),
});

/** Answer of `GET /discovery/resources`. */
export const discoveryListSchema = z.object({
  x402Version: z.literal(2),
  items: z.array(discoveryResourceSchema),
  pagination: offsetPagination,
  unappliedFilters,
});

/** Answer of `GET /discovery/search`. */
export const discoverySearchSchema = z.object({
  x402Version: z.literal(2),
  resources: z.array(discoveryResourceSchema),
  /** The semantic stage did not take part, or matches were cut. */
  partialResults: z.boolean(),
  /** A null cursor: nothing follows. */
  pagination: z.object({ limit: z.number().int(), cursor: z.string().nullable() }),
  unappliedFilters,
});

/** Answer of `GET /discovery/merchant`: a recipient and what it is paid for. */
export const discoveryMerchantSchema = z.object({
  x402Version: z.literal(2),
  payTo: z.string(),
  resources: z.array(discoveryResourceSchema),
  pagination: offsetPagination,
  unappliedFilters,
});

const facet = z.array(z.object({ value: z.string(), count: z.number().int() }));

/** Answer of `GET /discovery/facets`: how entries spread over what they can be filtered by. */
export const discoveryFacetsSchema = z.object({
  x402Version: z.literal(2),
  total: z.number().int(),
  type: facet,
  scheme: facet,
  network: facet,
  /** With the lowest and the highest price in atomic units. */
  asset: z.array(
    z.object({
      value: z.string(),
      count: z.number().int(),
      minAmount: z.string(),
      maxAmount: z.string(),
    }),
  ),
  ownerVerified: z.number().int(),
  unappliedFilters,
});

/** One rule of the catalog, and how a declaration stands to it. */
export const validationRuleSchema = z.object({
  rule: z.string(),
  /** `not_judged`: an earlier rule failed, or what it needs was not sent. */
  outcome: z.enum(['passed', 'failed', 'warning', 'not_judged']),
  /** The reason that `extension-responses` would give. */
  reason: z.string().optional(),
  detail: z.string().optional(),
  /** What to do about it. */
  mend: z.string().optional(),
});

/** Answer of `POST /discovery/validate`. */
export const discoveryValidationSchema = z.object({
  x402Version: z.literal(2),
  /** Whether a payment with this declaration would be listed, as far as it can be told. */
  wouldBeListed: z.boolean(),
  /** The key under which it is or would be listed. */
  resource: z.string().optional(),
  listed: discoveryResourceSchema.optional(),
  rules: z.array(validationRuleSchema),
});

export type DiscoveryResource = z.infer<typeof discoveryResourceSchema>;
export type DiscoveryList = z.infer<typeof discoveryListSchema>;
export type DiscoverySearch = z.infer<typeof discoverySearchSchema>;
export type DiscoveryMerchant = z.infer<typeof discoveryMerchantSchema>;
export type DiscoveryFacets = z.infer<typeof discoveryFacetsSchema>;
export type ValidationRule = z.infer<typeof validationRuleSchema>;
export type DiscoveryValidation = z.infer<typeof discoveryValidationSchema>;
