import { z } from 'zod';

/** Response of `GET /ready`: 200 while a good payment would settle now, 503 with the reasons while it would not. */
export const readinessSchema = z.object({
  status: z.enum(['ready', 'not_ready']),
  /** Why a payment would not settle; empty while it would. */
  reasons: z.array(
    z.object({
      /** Stable, for programs. */
      code: z.enum([
        'starting',
        'stopping',
        'store_unavailable',
        'lease_lost',
        'rpc_unavailable',
        'rpc_limited',
        'network_reset',
        'sponsor_missing',
        'sponsor_below_floor',
        'channels_missing',
      ]),
      message: z.string(),
    }),
  ),
});

export type Readiness = z.infer<typeof readinessSchema>;
