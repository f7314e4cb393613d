// The signature of @x402/next 2.21. The fixtures install and run the package itself.
import type {
  PaywallConfig,
  PaywallProvider,
  RouteConfig,
  x402ResourceServer,
} from '@x402/core/server';
import type { NextRequest, NextResponse } from 'next/server';

export { x402HTTPResourceServer, x402ResourceServer } from '@x402/core/server';

export declare function withX402<T = unknown>(
  routeHandler: (request: NextRequest) => Promise<NextResponse<T>>,
  routeConfig: RouteConfig,
  server: x402ResourceServer,
  paywallConfig?: PaywallConfig,
  paywall?: PaywallProvider,
  syncFacilitatorOnStart?: boolean,
): (request: NextRequest) => Promise<NextResponse<T>>;
