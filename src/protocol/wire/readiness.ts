import { z } from 'zod';

/** Answer of `GET /ready`: 200 when payments are taken, 503 with reasons while they are refused. */
export const readinessSchema = z.object({
  status: z.enum(['ready', 'not_ready']),
  /** Why payments are refused; empty when they are taken. */
  reasons: z.array(
    z.object({
      /** Stable, for programs. */
      code: z.enum(['stopping', 'store_unavailable', 'lease_lost', 'sponsor_below_floor']),
      message: z.string(),
    }),
  ),
});

export type Readiness = z.infer<typeof readinessSchema>;
