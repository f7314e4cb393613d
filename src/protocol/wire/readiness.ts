import { z } from 'zod';

/** Response of `GET /ready`: 200 while payments are accepted, 503 with reasons while they are refused. */
export const readinessSchema = z.object({
  status: z.enum(['ready', 'not_ready']),
  /** Why payments are refused; empty while they are accepted. */
  reasons: z.array(
    z.object({
      /** Stable, for programs. */
      code: z.enum([
        'stopping',
        'draining',
        'store_unavailable',
        'lease_lost',
        'sponsor_below_floor',
      ]),
      message: z.string(),
    }),
  ),
});

export type Readiness = z.infer<typeof readinessSchema>;
