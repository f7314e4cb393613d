// Written from the documentation of @x402/fastify (README, "Middleware Function"): the package is not
// served by every package source, so nothing here runs it.
import type {
  PaywallConfig,
  PaywallProvider,
  RoutesConfig,
  x402ResourceServer,
} from '@x402/core/server';
import type { FastifyInstance } from 'fastify';

export type { PaywallConfig, PaywallProvider, RoutesConfig } from '@x402/core/server';
export { x402HTTPResourceServer, x402ResourceServer } from '@x402/core/server';

export declare function paymentMiddleware(
  app: FastifyInstance,
  routes: RoutesConfig,
  server: x402ResourceServer,
  paywallConfig?: PaywallConfig,
  paywall?: PaywallProvider,
  syncFacilitatorOnStart?: boolean,
): void;
