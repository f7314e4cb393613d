import { z } from 'zod';
import { readinessSchema } from './readiness.ts';

/** Response of `GET /operator/status`. Amounts are atomic units or stroops, as strings. */
export const operatorStatusSchema = z.object({
  /** ISO 8601. */
  startedAt: z.string(),
  readiness: readinessSchema,
  /** Whether `svc-x402 facilitator drain` has announced the end of this instance. */
  draining: z.boolean(),
  settlements: z.object({
    /** Requests to `/settle` and `/verify`, and recovered settlements, that this instance handles now. */
    here: z.number().int().nonnegative(),
    /** Settlements of all instances on the store without an outcome; `null` if the store does not answer. */
    open: z.number().int().nonnegative().nullable(),
    /** The oldest of them. */
    listed: z.array(
      z.object({
        /** `claimed`: nothing is signed yet. `submitting`: the ledger may have it. `unproven`: its outcome is not known. */
        state: z.enum(['claimed', 'submitting', 'unproven']),
        hash: z.string().nullable(),
        payer: z.string().nullable(),
        payTo: z.string().nullable(),
        asset: z.string().nullable(),
        amount: z.string().nullable(),
        /** ISO 8601. */
        presentedAt: z.string(),
        /** Whether this instance handles it. */
        here: z.boolean(),
      }),
    ),
  }),
  channels: z.object({
    total: z.number().int().nonnegative(),
    free: z.number().int().nonnegative(),
  }),
  sponsor: z.object({
    address: z.string(),
    balance: z.string().nullable(),
    reserved: z.string(),
    /** Balance below which nothing is settled. */
    floor: z.string(),
  }),
  rpc: z.object({
    /** Latest ledger by a call for this response; `null` if the server did not answer it. */
    latestLedger: z.number().int().nullable(),
    /** Milliseconds that the call took. */
    ms: z.number().nonnegative(),
    /** Code of its failure. */
    failure: z.string().nullable(),
    /** Calls of the last minute, and how many of them failed. */
    calls: z.number().int().nonnegative(),
    failed: z.number().int().nonnegative(),
  }),
  lease: z.object({
    instance: z.string(),
    held: z.boolean(),
    /** Whether other instances can share the store. */
    shared: z.boolean(),
    /** Instances on the store, this one included; `null` if the store does not answer. */
    instances: z.number().int().nonnegative().nullable(),
  }),
});

export type OperatorStatus = z.infer<typeof operatorStatusSchema>;

/** Response of `POST /operator/drain`. */
export const drainedSchema = z.object({
  draining: z.boolean(),
  /** What this instance handles now. */
  here: z.number().int().nonnegative(),
  /** Milliseconds since the last request other than a probe. */
  idleMs: z.number().nonnegative(),
});

export type Drained = z.infer<typeof drainedSchema>;
