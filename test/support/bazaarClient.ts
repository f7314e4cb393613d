import type { DiscoveryResource } from '../../src/protocol/wire/index.ts';
import { canonicalPackage } from './canonical.ts';

interface ListParameters {
  readonly type?: string;
  readonly payTo?: string;
  readonly scheme?: string;
  readonly network?: string;
  readonly extensions?: string;
  readonly limit?: number;
  readonly offset?: number;
}

/** The bazaar client extension of `@x402/extensions`, as far as tests use it. */
export interface BazaarClient {
  readonly extensions: {
    readonly bazaar: {
      listResources(parameters?: ListParameters): Promise<{
        readonly x402Version: number;
        readonly items: readonly DiscoveryResource[];
        readonly pagination: {
          readonly limit: number;
          readonly offset: number;
          readonly total: number;
        };
      }>;
      search(parameters: ListParameters & { query: string; cursor?: string }): Promise<{
        readonly x402Version: number;
        readonly resources: readonly DiscoveryResource[];
        readonly partialResults?: boolean;
        readonly pagination?: { readonly limit: number; readonly cursor: string | null } | null;
      }>;
    };
  };
}

interface CoreHttp {
  readonly HTTPFacilitatorClient: new (options: { url: string }) => object;
}

/** What sellers and facilitators use of `@x402/extensions/bazaar`. */
interface BazaarPackage {
  withBazaar(client: object): BazaarClient;
  declareDiscoveryExtension(config: object): { readonly bazaar: Record<string, unknown> };
  readonly bazaarResourceServerExtension: {
    enrichDeclaration(declaration: object, context: object): Record<string, unknown>;
  };
  extractDiscoveryInfo(
    payload: object,
    requirements: object,
  ): { readonly resourceUrl: string; readonly serviceName?: string } | null;
}

const core = canonicalPackage<CoreHttp>('@x402/core/http');

/** The published package; `undefined` when the example is not installed. */
export const bazaarPackage = canonicalPackage<BazaarPackage>('@x402/extensions/bazaar');

/** `withBazaar(new HTTPFacilitatorClient(…))`, unmodified. */
export function bazaarClient(url: string): BazaarClient {
  if (core === undefined || bazaarPackage === undefined) throw new Error('not installed');
  return bazaarPackage.withBazaar(new core.HTTPFacilitatorClient({ url }));
}
