import type { Clock } from '../../clock.ts';
import { MAX_REFUSALS, type RateLimiter, type RateLimitVerdict } from './rateLimiter.ts';

/** Counts requests of a client for all instances of the service (the store's `RateCounter`). */
interface SharedCounter {
  hit(
    key: string,
    windowMs: number,
    now: number,
  ): Promise<{ readonly count: number; readonly resetAt: number }>;
}

const MINUTE_MS = 60_000;

/** Maximum number of clients that are kept as far over their limit. */
const MAX_FAR_OVER = 10_000;

/**
 * Lets `perMinute` requests of a client through in each minute of the clock, over all instances that
 * share the counter. If the counter does not answer, `alone` decides: an unavailable store must neither
 * stop the service nor lift the limit. A client far over its limit is refused until the minute ends without asking the
 * counter, so that a flood of refused requests does not become a flood of statements.
 * @param onFault called each time the counter does not answer
 */
export function createSharedRateLimiter(
  perMinute: number,
  counter: SharedCounter,
  clock: Clock,
  alone: RateLimiter,
  onFault: (error: unknown) => void,
): RateLimiter {
  /** When the minute ends for clients far over their limit. */
  const farOver = new Map<string, number>();

  function verdict(count: number, resetAt: number, now: number): RateLimitVerdict {
    return {
      allowed: count <= perMinute,
      limit: perMinute,
      remaining: Math.max(0, perMinute - count),
      resetSeconds: Math.max(1, Math.ceil((resetAt - now) / 1_000)),
      isFarOver: count > perMinute + MAX_REFUSALS,
    };
  }

  function remember(client: string, resetAt: number): void {
    const [first] = farOver.keys();
    if (farOver.size >= MAX_FAR_OVER && first !== undefined) farOver.delete(first);
    farOver.set(client, resetAt);
  }

  return {
    async take(client) {
      const now = clock.now();
      const refusedUntil = farOver.get(client);
      if (refusedUntil !== undefined && refusedUntil > now) {
        return verdict(Number.POSITIVE_INFINITY, refusedUntil, now);
      }
      farOver.delete(client);
      try {
        const { count, resetAt } = await counter.hit(`requests:${client}`, MINUTE_MS, now);
        const found = verdict(count, resetAt, now);
        if (found.isFarOver) remember(client, resetAt);
        return found;
      } catch (error) {
        onFault(error);
        return alone.take(client);
      }
    },
  };
}
