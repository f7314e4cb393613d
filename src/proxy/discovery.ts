import { formatDecimalAmount, USDC_CONTRACT } from '../protocol/index.ts';
import { CHARGE_INTENT, STELLAR_METHOD } from '../protocol/mpp/index.ts';
import { didDocumentOf } from '../protocol/receipts/index.ts';
import type { SellerAnswer } from '../seller/index.ts';
import type { Price, ProxyConfig, Terms } from './config/config.ts';
import type { Part, Route } from './routes.ts';

/** Returns the document for a well-known path: `/.well-known/x402` or `/openapi.json`. */
export function discoveryAnswer(
  path: string,
  config: ProxyConfig,
  origin: string,
  upstreamHost: string,
): SellerAnswer {
  const document =
    path === '/openapi.json' ? openApi(config, origin, upstreamHost) : wellKnown(config, origin);
  return {
    status: 200,
    headers: [
      ['content-type', 'application/json'],
      ['cache-control', 'public, max-age=60'],
    ],
    body: JSON.stringify(document),
  };
}

/** Returns the document at `/.well-known/did.json`: it says that the key signs for this origin. */
export function didAnswer(origin: string, publicKey: Uint8Array): SellerAnswer {
  return {
    status: 200,
    headers: [
      ['content-type', 'application/did+json'],
      ['cache-control', 'public, max-age=60'],
    ],
    body: JSON.stringify(didDocumentOf(origin, publicKey)),
  };
}

type SoldRoute = Route<Terms | undefined> & { readonly about: Terms };

function soldRoutes({ routes }: ProxyConfig): readonly SoldRoute[] {
  return routes.filter((route): route is SoldRoute => route.about !== undefined);
}

function pathOf(pattern: readonly Part[]): string {
  return `/${pattern.map((part) => (part.kind === 'fixed' ? part.text : part.kind === 'one' ? `{${part.name}}` : '{rest}')).join('/')}`;
}

/** The form that x402scan reads; URLs that stand for many cannot be fetched and are left out. */
function wellKnown(config: ProxyConfig, origin: string): object {
  const resources = soldRoutes(config)
    .filter(({ pattern }) => pattern.every(({ kind }) => kind === 'fixed'))
    .map(({ pattern }) => `${origin}${pathOf(pattern)}`);
  return { version: 1, resources: [...new Set(resources)].sort() };
}

/** Describes a price in both forms that are read: that of x402 indexers, and `offers` of MPP, in atomic units (decision 0084). */
function paymentInfo(price: Price, names: ProxyConfig['protocols']): object {
  const currency = 'USD';
  const charge = { intent: CHARGE_INTENT, method: STELLAR_METHOD, currency: USDC_CONTRACT };
  const protocols = names.map((name) => (name === 'mpp' ? { mpp: charge } : { x402: {} }));
  if (price.kind !== 'fixed') {
    return {
      price: { mode: 'dynamic', currency, max: formatDecimalAmount(price.max) },
      protocols,
    };
  }
  const offers = names.includes('mpp') ? [{ ...charge, amount: price.amount.toString() }] : [];
  return {
    price: { mode: 'fixed', currency, amount: formatDecimalAmount(price.amount) },
    protocols,
    ...(offers.length === 0 ? {} : { offers }),
  };
}

function openApi(config: ProxyConfig, origin: string, upstreamHost: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const { method, pattern, about } of soldRoutes(config)) {
    const path = pathOf(pattern);
    const parameters = pattern.flatMap((part) =>
      part.kind === 'one'
        ? [{ name: part.name, in: 'path', required: true, schema: { type: 'string' } }]
        : [],
    );
    const names =
      method === '*' ? ['get', 'post', 'put', 'patch', 'delete'] : [method.toLowerCase()];
    for (const name of names) {
      paths[path] = {
        ...paths[path],
        [name]: {
          ...(about.description === undefined ? {} : { summary: about.description }),
          ...(parameters.length === 0 ? {} : { parameters }),
          ...about.operation,
          'x-payment-info': paymentInfo(about.price, config.protocols),
          responses: {
            ...((about.operation?.['responses'] as object | undefined) ?? {
              200: { description: 'The resource' },
            }),
            402: { description: 'Payment required' },
          },
        },
      };
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: config.serviceName ?? upstreamHost, version: '1' },
    servers: [{ url: origin }],
    paths,
  };
}
