import type { AtomicAmount, StellarAddress } from '../../protocol/index.ts';
import type { PageLook, SettleWhen } from '../../seller/index.ts';
import type { Route } from '../routes.ts';

/** A price of a route. Amounts are atomic units of USDC. */
export type Price =
  | { readonly kind: 'fixed'; readonly amount: AtomicAmount }
  /** @property of where the count is, such as `body.items.length`; @property max the ceiling of the whole price */
  | {
      readonly kind: 'per';
      readonly of: string;
      readonly amount: AtomicAmount;
      readonly max: AtomicAmount;
    }
  /** @property path of the upstream, which answers `{"price": "0.05"}` to the query of the request */
  | { readonly kind: 'ask'; readonly path: string; readonly max: AtomicAmount };

/** What is known about a sold route. */
export interface Terms {
  readonly price: Price;
  readonly settle: SettleWhen;
  readonly description: string | undefined;
  readonly mimeType: string | undefined;
  readonly tags: readonly string[] | undefined;
  /** Declaration for catalogs (extension `bazaar`); empty without a document that describes the route. */
  readonly extensions: Readonly<Record<string, unknown>>;
  /** Parameters, bodies and responses, as an OpenAPI document describes them; `undefined` without one. */
  readonly operation: Readonly<Record<string, unknown>> | undefined;
}

/** What happens to requests that no route names. */
export type Otherwise = 'closed' | 'free' | Terms;

/** Where the tools that are sold come from. */
export type McpUpstream =
  /** A server over Streamable HTTP. */
  | { readonly kind: 'http'; readonly url: URL }
  /** A program that speaks MCP over stdin and stdout; started in a shell if it is one text. */
  | { readonly kind: 'stdio'; readonly command: string | readonly string[] };

/** An MCP server whose tools are sold, and at which prices. */
export interface McpConfig {
  readonly upstream: McpUpstream;
  /** Path at which the proxy serves MCP. */
  readonly path: string;
  /** By the exact name of the tool; `undefined`: free. */
  readonly tools: ReadonlyMap<string, Terms | undefined>;
  /** Tools that are not named. Closed ones are not listed, and cannot be called. */
  readonly otherwise: Otherwise;
}

/** Bounds of requests and responses. */
export interface ProxyLimits {
  /** Of a request's body, in bytes. */
  readonly maxRequestBytes: number;
  /** Of a response that is kept until its payment has settled, in bytes; longer ones are streams. */
  readonly maxResponseBytes: number;
  /** How long a response may take to arrive in whole before it counts as a stream. */
  readonly holdMs: number;
  /** Without a byte from the upstream. */
  readonly timeoutMs: number;
}

export const DEFAULT_LIMITS: ProxyLimits = {
  maxRequestBytes: 32 << 20,
  maxResponseBytes: 64 << 20,
  holdMs: 30_000,
  timeoutMs: 60_000,
};

/** How long a payment stays valid after it was signed, in seconds. */
export const MAX_TIMEOUT_SECONDS = 120;

/** The payment protocols, in the order in which they are offered. */
export const PROTOCOL_NAMES = ['x402', 'mpp'] as const;

export type ProtocolName = (typeof PROTOCOL_NAMES)[number];

/** The configuration of a proxy, checked. */
export interface ProxyConfig {
  /** `undefined` if an MCP server is sold instead of an API. */
  readonly upstream: URL | undefined;
  readonly mcp: McpConfig | undefined;
  readonly payTo: StellarAddress;
  /** `undefined`: the local service's. */
  readonly facilitator: string | undefined;
  /** Origin under which buyers reach the proxy; by default, what they ask for. */
  readonly publicOrigin: string | undefined;
  readonly serviceName: string | undefined;
  /** File or URL of an OpenAPI document whose operations are sold. */
  readonly openapi: string | undefined;
  /** How it is paid; at least one. */
  readonly protocols: readonly ProtocolName[];
  /** Whether offers and receipts of x402 are signed; `publicOrigin` is then set. */
  readonly receipts: boolean;
  /** `undefined` in `about`: free. */
  readonly routes: readonly Route<Terms | undefined>[];
  readonly otherwise: Otherwise;
  readonly limits: ProxyLimits;
  /** The page that browsers get instead of the terms as JSON; `undefined`: none. */
  readonly page: PageLook | undefined;
  /** Proxies in front whose `X-Forwarded-For` is believed. */
  readonly trustedHops: number;
}

/** Returns terms with one price and nothing else. */
export function plainTerms(price: Price, more: Partial<Terms> = {}): Terms {
  return {
    price,
    settle: 'after',
    description: undefined,
    mimeType: undefined,
    tags: undefined,
    extensions: {},
    operation: undefined,
    ...more,
  };
}
