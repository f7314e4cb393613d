import type { Clock } from '../../clock.ts';
import type { RateLimiter } from './rateLimiter.ts';

/** Counts requests of a client for all instances of the service (the store's `RateCounter`). */
interface SharedCounter {
  hit(
    key: string,
    windowMs: number,
    now: number,
  ): Promise<{ readonly count: number; readonly resetAt: number }>;
}

const MINUTE_MS = 60_000;

/**
 * Lets `perMinute` requests of a client through in each minute of the clock, over all instances that
 * share the counter. If the counter does not answer, `alone` decides: an unavailable store must neither
 * stop the service nor lift the limit.
 * @param onFault called each time the counter does not answer
 */
export function createSharedRateLimiter(
  perMinute: number,
  counter: SharedCounter,
  clock: Clock,
  alone: RateLimiter,
  onFault: (error: unknown) => void,
): RateLimiter {
  return {
    async take(client) {
      const now = clock.now();
      try {
        const { count, resetAt } = await counter.hit(`requests:${client}`, MINUTE_MS, now);
        return {
          allowed: count <= perMinute,
          limit: perMinute,
          remaining: Math.max(0, perMinute - count),
          resetSeconds: Math.max(1, Math.ceil((resetAt - now) / 1_000)),
        };
      } catch (error) {
        onFault(error);
        return alone.take(client);
      }
    },
  };
}
