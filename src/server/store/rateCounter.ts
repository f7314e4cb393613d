import type { Database } from './database.ts';

/** Counts requests of a key in windows of fixed length, for all instances that share a store. */
export interface RateCounter {
  /**
   * Counts one request.
   * @param now milliseconds since the epoch, which determines the window
   * @returns the number of requests in the window, including this one, and when the window ends
   */
  hit(
    key: string,
    windowMs: number,
    now: number,
  ): Promise<{ readonly count: number; readonly resetAt: number }>;
}

/** Windows that ended this long ago are deleted periodically. */
const KEPT_MS = 60_000;

/** Counts in a store. Rejects with StoreError: whether a request then passes is the caller's choice. */
export function createRateCounter(database: Database): RateCounter {
  let sweptAt = 0;
  return {
    async hit(key, windowMs, now) {
      const start = now - (now % windowMs);
      if (now - sweptAt > KEPT_MS) {
        sweptAt = now;
        const before = start - KEPT_MS;
        await database.run('DELETE FROM rate_counts WHERE window_start < ?', [before]);
      }
      const [row] = await database.all<{ count: number }>(
        `INSERT INTO rate_counts (key, window_start, count) VALUES (?, ?, 1)
         ON CONFLICT (key, window_start) DO UPDATE SET count = rate_counts.count + 1
         RETURNING count`,
        [key, start],
      );
      return { count: row?.count ?? 1, resetAt: start + windowMs };
    },
  };
}
