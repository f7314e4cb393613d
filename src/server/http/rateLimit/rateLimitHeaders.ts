import type { RateLimitVerdict } from './rateLimiter.ts';

/** Returns the standard headers (IETF draft `ratelimit-headers`), and `Retry-After` if the client must wait. */
export function rateLimitHeaders(verdict: RateLimitVerdict): Record<string, string> {
  const { allowed, limit, remaining, resetSeconds } = verdict;
  return {
    'ratelimit-limit': `${limit}`,
    'ratelimit-remaining': `${remaining}`,
    'ratelimit-reset': `${resetSeconds}`,
    'ratelimit-policy': `${limit};w=60`,
    ...(allowed ? {} : { 'retry-after': `${resetSeconds}` }),
  };
}
