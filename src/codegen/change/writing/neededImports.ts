import type { Decision } from '../decision/decision.ts';
import type { RouteReading } from '../reading/routeReading.ts';
import type { Needed } from './addImports.ts';

const CORE = '@x402/core/server';
const BAZAAR = '@x402/extensions/bazaar';
const STELLAR = '@x402/stellar/exact/server';

/** Returns the exports of the payment packages that a decision's code uses. */
export function neededImports(
  { route, settings }: RouteReading,
  decision: Decision,
): readonly Needed[] {
  if (decision.kind === 'moreKeys') return [discoveryImport()];
  const module = adapterPackage(route.framework);
  const shared = [...(settings ? [] : settingsImports(route.framework)), discoveryImport()];
  if (decision.kind === 'newGate' && decision.registered.framework === 'hono') {
    const helper = ['paymentMiddlewareFromHTTPServer', 'x402HTTPResourceServer'];
    const names = settings?.forRoute === undefined ? helper : [];
    return [...shared, ...names.map((name) => ({ module, name }))];
  }
  if (decision.kind === 'newGate') return [...shared, { module, name: 'paymentMiddleware' }];
  const converts = decision.exported.shape.converts;
  return [
    ...shared,
    { module, name: 'withX402' },
    ...(converts ? [{ module: 'next/server', name: 'NextResponse' }] : []),
  ];
}

/** The package of a framework's middleware. */
function adapterPackage(framework: string): string {
  if (framework === 'next-app') return '@x402/next';
  return framework === 'fastify' || framework === 'hono' ? `@x402/${framework}` : '@x402/express';
}

function settingsImports(framework: string): readonly Needed[] {
  return [
    { module: CORE, name: 'HTTPFacilitatorClient' },
    { module: adapterPackage(framework), name: 'x402ResourceServer' },
    { module: BAZAAR, name: 'bazaarResourceServerExtension' },
    { module: STELLAR, name: 'ExactStellarScheme' },
  ];
}

function discoveryImport(): Needed {
  return { module: BAZAAR, name: 'declareDiscoveryExtension' };
}
