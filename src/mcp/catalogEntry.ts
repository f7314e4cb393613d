import { z } from 'zod';

/** An entry in the catalog's response. Members that are not named here are passed on. */

const optionSchema = z.looseObject({
  scheme: z.string(),
  network: z.string(),
  asset: z.string(),
  amount: z.string().describe('Atomic units; of USDC and XLM 10000000 is 1.0'),
  payTo: z.string(),
});

const trustSchema = z.looseObject({
  settlements: z.number().describe('Payments seen on the ledger'),
  uniquePayers: z.number(),
  ownerVerified: z
    .boolean()
    .describe("True when the recipient was found in the resource's own payment terms"),
  protocols: z
    .array(z.string())
    .optional()
    .describe('In which the catalog saw the resource ask for payment: x402, mpp'),
});

const qualitySchema = z.looseObject({
  l30DaysTotalCalls: z.number().optional().describe('Payments of the last 30 days'),
  l30DaysUniquePayers: z.number().optional().describe('Accounts that paid in the last 30 days'),
  lastCalledAt: z.string().optional().describe('ISO 8601'),
});

/** Without unions: inspectors warn of them, and models read them badly. */
export const catalogEntrySchema = z.looseObject({
  resource: z.string(),
  type: z.string().optional(),
  accepts: z.array(optionSchema),
  trust: trustSchema.optional(),
  quality: qualitySchema.optional(),
  lastUpdated: z.string().optional().describe('ISO 8601'),
  description: z.string().optional(),
  mimeType: z.string().optional(),
  serviceName: z.string().optional(),
  tags: z.array(z.string()).optional(),
  method: z.string().optional().describe('HTTP method'),
  toolName: z
    .string()
    .optional()
    .describe('Tool of the MCP server at resource; pass it to x402_call as tool'),
  extensions: z
    .looseObject({})
    .optional()
    .describe('bazaar.info has an example of the input and the output, bazaar.schema their schema'),
});

export type CatalogEntry = z.infer<typeof catalogEntrySchema>;

/** An entry that a search found; a catalog may omit the reason. */
export const foundEntrySchema = catalogEntrySchema.extend({
  match: z
    .looseObject({
      confidence: z
        .string()
        .describe('How sure the catalog is that the entry fits: high, medium or low'),
      words: z.array(z.looseObject({ word: z.string() })).optional(),
      nearness: z.number().optional().describe('Similarity of meaning, up to 1'),
    })
    .optional(),
});

export type FoundEntry = z.infer<typeof foundEntrySchema>;

/** An entry in the form that catalogs write: `null` for missing members, and times possibly in milliseconds. */
function asRead<T extends z.ZodType>(entry: T) {
  return z.preprocess((value) => {
    const given = withoutNulls(value);
    if (!isObject(given)) return given;
    const { lastUpdated, match, quality } = given;
    return {
      ...given,
      ...(typeof lastUpdated === 'number' ? { lastUpdated: timeOf(lastUpdated) } : {}),
      ...(match === undefined ? {} : { match: withoutNulls(match) }),
      ...(quality === undefined ? {} : { quality: withoutNulls(quality) }),
    };
  }, entry);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withoutNulls(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}

function timeOf(ms: number): string {
  const time = new Date(ms);
  return Number.isNaN(time.getTime()) ? String(ms) : time.toISOString();
}

/** Names of parameters that the service ignored. */
const unappliedFilters = z.array(z.string()).nullish();

/** `GET /discovery/resources` (spec). */
export const listAnswerSchema = z.object({
  unappliedFilters,
  items: z.array(asRead(catalogEntrySchema)),
  pagination: z.object({ limit: z.number(), offset: z.number(), total: z.number() }),
});

/** `GET /discovery/search` (spec); `pagination` is optional in the canonical shape. */
export const searchAnswerSchema = z.object({
  unappliedFilters,
  resources: z.array(asRead(foundEntrySchema)),
  partialResults: z.boolean().nullish(),
  pagination: z.object({ limit: z.number(), cursor: z.string().nullish() }).nullish(),
});
