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
});

export const catalogEntrySchema = z.looseObject({
  resource: z.string(),
  type: z.string().optional(),
  accepts: z.array(optionSchema),
  trust: trustSchema.optional(),
  lastUpdated: z.union([z.string(), z.number()]).optional(),
  description: z.string().nullish(),
  mimeType: z.string().nullish(),
  serviceName: z.string().nullish(),
  tags: z.array(z.string()).nullish(),
  method: z.string().nullish().describe('HTTP method'),
  toolName: z.string().nullish(),
  extensions: z
    .record(z.string(), z.unknown())
    .nullish()
    .describe('bazaar.info has an example of the input and the output, bazaar.schema their schema'),
});

export type CatalogEntry = z.infer<typeof catalogEntrySchema>;

/** An entry that a search found; a catalog may not say why. */
export const foundEntrySchema = catalogEntrySchema.extend({
  match: z
    .looseObject({
      confidence: z.string().describe('How sure the catalog is that it fits: high, medium or low'),
      words: z.array(z.looseObject({ word: z.string() })).nullish(),
      nearness: z.number().nullish().describe('Of the meanings, up to 1'),
    })
    .nullish(),
});

export type FoundEntry = z.infer<typeof foundEntrySchema>;

/** Names of parameters that the service ignored. */
const unappliedFilters = z.array(z.string()).nullish();

/** `GET /discovery/resources` (spec). */
export const listAnswerSchema = z.object({
  unappliedFilters,
  items: z.array(catalogEntrySchema),
  pagination: z.object({ limit: z.number(), offset: z.number(), total: z.number() }),
});

/** `GET /discovery/search` (spec); `pagination` is optional in the canonical shape. */
export const searchAnswerSchema = z.object({
  unappliedFilters,
  resources: z.array(foundEntrySchema),
  partialResults: z.boolean().nullish(),
  pagination: z.object({ limit: z.number(), cursor: z.string().nullish() }).nullish(),
});
