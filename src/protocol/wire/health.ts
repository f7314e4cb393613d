import { z } from 'zod';

/** Response of `GET /health` (spec: Health). Amounts are in stroops, as strings. */
export const healthSchema = z.object({
  status: z.literal('ok'),
  network: z.string(),
  /** Present when the catalog has stopped accepting writes. */
  catalogFrozen: z.boolean().optional(),
  /** Absent when there are none. */
  unverifiableEntries: z.number().int().positive().optional(),
  /** The catalog's ownership checks still in progress after a restart. */
  reverifyPending: z.number().int().nonnegative(),
  /** Keys of stored catalog rows that are damaged and left out, at most a hundred. Absent when there are none. */
  damagedRows: z.array(z.string()).optional(),
  /** How the catalog is searched. */
  search: z
    .object({
      documents: z.number().int().nonnegative(),
      /** Entries that the semantic stage has not indexed yet. */
      pendingEmbeddings: z.number().int().nonnegative(),
      embeddings: z.object({
        provider: z.string(),
        /** `open` while calls are held back after failures. */
        circuit: z.enum(['closed', 'open', 'probing']),
      }),
      /** Where vectors are searched: in the service, or in PostgreSQL with pgvector. */
      vectorIndex: z.enum(['in process', 'pgvector']),
    })
    .optional(),
  channels: z.object({
    total: z.number().int().nonnegative(),
    free: z.number().int().nonnegative(),
  }),
  sponsor: z.object({
    address: z.string(),
    /** Last known balance; `null` before the first settlement has requested it. */
    balance: z.string().nullable(),
    reserved: z.string(),
  }),
});

export type Health = z.infer<typeof healthSchema>;
