import { z } from 'zod';
import { PAYMENT_PROTOCOLS } from '../paymentProtocols.ts';

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
  /** Only on the embedded network: the result of the check of a seller on this machine. */
  localCheck: z.boolean().optional(),
  /** In which the last check of the owner saw the resource ask for payment to this recipient; missing if none was seen. */
  protocols: z.array(z.enum(PAYMENT_PROTOCOLS)).optional(),
});

/** How a resource was used lately; what is not known is missing. */
const qualitySchema = z.object({
  /** Settlements of today and the 29 days before, by UTC day, without payments to oneself. */
  l30DaysTotalCalls: z.number().int().nonnegative().optional(),
  /** Different payers of those. */
  l30DaysUniquePayers: z.number().int().nonnegative().optional(),
  /** ISO 8601. */
  lastCalledAt: z.string().optional(),
});

/** A resource in the catalog (spec: Catalog entry), a superset of the canonical one. */
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
  /** Only of an MCP tool: the `info` of its `bazaar` extension, where upstream facilitators list it. */
  discoveryInfo: z.record(z.string(), z.unknown()).optional(),
  /** Echoed by buyers, within limits; `bazaar` has the inputs and outputs. */
  extensions: z.record(z.string(), z.unknown()),
  trust: trustSchema,
  quality: qualitySchema.optional(),
});

/** Names of query parameters that had no effect. */
const unappliedFilters = z.array(z.string()).optional();

const offsetPagination = z.object({
  limit: z.number().int(),
  offset: z.number().int(),
  total: z.number().int(),
});

/** Response of `GET /discovery/resources`. */
export const discoveryListSchema = z.object({
  x402Version: z.literal(2),
  items: z.array(discoveryResourceSchema),
  pagination: offsetPagination,
  unappliedFilters,
});

/** Why a search found a resource. */
const matchSchema = z.object({
  /** Words of the query that the resource has, without their endings, and where. */
  words: z.array(
    z.object({
      word: z.string(),
      in: z.array(z.enum(['name', 'tags', 'description', 'url'])),
      /** True if the resource has another word of the same meaning. */
      synonym: z.boolean(),
    }),
  ),
  /** The cosine of the embeddings; null if the resource was found by words alone. */
  nearness: z.number().nullable(),
  confidence: z.enum(['high', 'medium', 'low']),
});

/** Response of `GET /discovery/search`. */
export const discoverySearchSchema = z.object({
  x402Version: z.literal(2),
  resources: z.array(
    discoveryResourceSchema.extend({
      match: matchSchema,
      /** Number of nearly equal resources of the same seller that are left out; absent when there are none. */
      moreBySeller: z.number().int().positive().optional(),
    }),
  ),
  /** The semantic stage was skipped, or matches were cut off. */
  partialResults: z.boolean(),
  /** `hybrid`: by words and meaning; `text`: by words alone. */
  searchMethod: z.enum(['hybrid', 'text']),
  /** A null cursor: this is the last page. */
  pagination: z.object({ limit: z.number().int(), cursor: z.string().nullable() }),
  unappliedFilters,
});

/** Response of `GET /discovery/merchant`: a recipient and the resources it is paid for. */
export const discoveryMerchantSchema = z.object({
  x402Version: z.literal(2),
  payTo: z.string(),
  resources: z.array(discoveryResourceSchema),
  pagination: offsetPagination,
  unappliedFilters,
});

const facet = z.array(z.object({ value: z.string(), count: z.number().int() }));

/** Response of `GET /discovery/facets`: the number of entries for each value of each filter. */
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
  /** Protocols that a check of the owner saw. */
  protocol: facet,
  unappliedFilters,
});

/** One rule of the catalog, and a declaration's result for it. */
export const validationRuleSchema = z.object({
  rule: z.string(),
  /** `not_judged`: an earlier rule failed, or the data it needs was not sent. */
  outcome: z.enum(['passed', 'failed', 'warning', 'not_judged']),
  /** The reason that `extension-responses` would contain. */
  reason: z.string().optional(),
  detail: z.string().optional(),
  /** How to fix it. */
  mend: z.string().optional(),
});

/** Response of `POST /discovery/validate`. */
export const discoveryValidationSchema = z.object({
  x402Version: z.literal(2),
  /** Whether a payment with this declaration would be listed, as far as can be predicted. */
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
