// Written from the documentation of @x402/hono (README, "Middleware"): it is not among the packages
// that the examples install.
import type {
  PaywallConfig,
  PaywallProvider,
  RoutesConfig,
  x402HTTPResourceServer,
  x402ResourceServer,
} from '@x402/core/server';
import type { MiddlewareHandler } from 'hono';

export type { PaywallConfig, PaywallProvider, RoutesConfig } from '@x402/core/server';
export { x402HTTPResourceServer, x402ResourceServer } from '@x402/core/server';

export declare function paymentMiddlewareFromHTTPServer(
  httpServer: x402HTTPResourceServer,
  paywallConfig?: PaywallConfig,
  paywall?: PaywallProvider,
  syncFacilitatorOnStart?: boolean,
): MiddlewareHandler;

export declare function paymentMiddleware(
  routes: RoutesConfig,
  server: x402ResourceServer,
  paywallConfig?: PaywallConfig,
  paywall?: PaywallProvider,
  syncFacilitatorOnStart?: boolean,
): MiddlewareHandler;
