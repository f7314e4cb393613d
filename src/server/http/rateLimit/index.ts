/** The request limit (spec: Limits/Request rate), as the app applies it. */
export {
  clientAddress,
  clientKey,
  clientName,
  isLoopback,
  isNetwork,
  readProxies,
} from './clientKey.ts';
export { createRateLimiter, MAX_REFUSALS, type RateLimiter } from './rateLimiter.ts';
export { rateLimitHeaders } from './rateLimitHeaders.ts';
export { createSharedRateLimiter } from './sharedRateLimiter.ts';
