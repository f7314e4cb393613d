import type { Hono } from 'hono';
import { readBody } from '../../../machine/index.ts';
import { ERROR_TABLE, X402_VERSION } from '../../../protocol/index.ts';
import type {
  DiscoveryFacets,
  DiscoveryList,
  DiscoveryMerchant,
  DiscoverySearch,
} from '../../../protocol/wire/index.ts';
import type { Catalog, CatalogEntry } from '../../catalog/index.ts';
import type { Rejection } from '../../facilitator/index.ts';
import { StoreError } from '../../store/index.ts';
import type { Answer } from '../answers.ts';
import { MAX_BODY_BYTES } from '../bodyLimit.ts';
import { errorBody } from '../errorBodies.ts';
import { preflightHeaders, readableBy } from '../pageOrigin.ts';
import { type Environment, send } from '../send.ts';
import { listedOpenApi } from './openApi/listedOpenApi.ts';
import { BadParameter, Parameters } from './parameters.ts';
import {
  readLimit,
  readListFilters,
  readNarrowing,
  readOffset,
  readOrder,
  readSharedFilters,
} from './readFilters.ts';
import { unappliedFilters } from './unapplied.ts';
import { validateListing } from './validateListing.ts';
import { wireEntry } from './wireEntry.ts';

/** Longer texts are cut: the search reads a bounded number of terms anyway. */
const MAX_QUERY_LENGTH = 4_000;
const MAX_CURSOR_LENGTH = 2_000;

/** `GET /discovery/search`. A cursor is valid for the query and the filters it was returned for. */
async function searchResources(catalog: Catalog, parameters: Parameters): Promise<DiscoverySearch> {
  const filters = readSharedFilters(parameters);
  const narrowing = readNarrowing(parameters);
  const limit = readLimit(parameters);
  const query = parameters.cutText('query', MAX_QUERY_LENGTH) ?? '';
  const cursor = parameters.text('cursor', MAX_CURSOR_LENGTH) ?? null;
  const answer = await catalog.search({ query, filters, narrowing, limit, cursor });
  if (answer.kind === 'refused') throw new BadParameter(answer.code);
  return {
    x402Version: X402_VERSION,
    resources: answer.hits.map(({ entry, match, moreBySeller }) => ({
      ...wireEntry(entry),
      ...(moreBySeller === 0 ? {} : { moreBySeller }),
      match: {
        words: match.words.map((one) => ({ ...one, in: [...one.in] })),
        nearness: match.nearness === null ? null : Math.round(match.nearness * 1_000) / 1_000,
        confidence: match.confidence,
      },
    })),
    partialResults: answer.partialResults,
    searchMethod: answer.semantic ? 'hybrid' : 'text',
    pagination: { limit, cursor: answer.cursor },
    ...unappliedFilters(parameters),
  };
}

type Read = (catalog: Catalog, parameters: Parameters) => Promise<object>;

/** The handler of each path. */
const READS: Readonly<Record<string, Read>> = {
  '/discovery/resources': listResources,
  '/discovery/search': searchResources,
  '/discovery/merchant': listMerchant,
  '/discovery/facets': readFacets,
  '/discovery/openapi.json': listedOpenApi,
};

function refusal(rejection: Rejection): Answer {
  return {
    status: ERROR_TABLE[rejection.code].status,
    body: errorBody('discovery', rejection),
  };
}

/** Runs `work` and turns invalid requests and failures of the store into responses. */
async function answering(work: () => Promise<object>): Promise<Answer> {
  try {
    return { status: 200, body: await work() };
  } catch (error) {
    if (error instanceof BadParameter) return refusal(error.rejection);
    if (error instanceof StoreError) return refusal({ code: 'catalog_unavailable' });
    throw error;
  }
}

/** Answers a read of the catalog without HTTP, for other routes of this service. */
export async function askDiscovery(catalog: Catalog, { href, pathname }: URL): Promise<Answer> {
  const read = Object.hasOwn(READS, pathname) ? READS[pathname] : undefined;
  if (read === undefined) return refusal({ code: 'not_found' });
  return answering(() => read(catalog, new Parameters(href)));
}

/** Serves the discovery endpoints of a catalog. Any page may read; allowed pages may validate. */
export function mountDiscovery(
  app: Hono<Environment>,
  catalog: Catalog,
  allowedOrigins: readonly string[],
): void {
  app.use('/discovery/*', async (c, next) => {
    const { method } = c.req;
    const page = { method, origin: c.req.header('origin'), host: c.req.header('host') };
    const headers = c.get('headers');
    if (method === 'OPTIONS') {
      const preflight = { ...headers, ...preflightHeaders(page, allowedOrigins) };
      return new Response(null, { status: 204, headers: preflight });
    }
    c.set('headers', { ...headers, ...readableBy(page, allowedOrigins) });
    return next();
  });
  for (const [path, read] of Object.entries(READS)) {
    app.get(path, async (c) =>
      send(c, await answering(() => read(catalog, new Parameters(c.req.url)))),
    );
  }
  app.get('/discovery/feed.json', async (c) => {
    const answer = await answering(() => feed(catalog, new Parameters(c.req.url)));
    const headers = answer.status === 200 ? { 'content-type': 'application/feed+json' } : {};
    return send(c, { ...answer, headers });
  });
  app.post('/discovery/validate', async (c) => {
    const read = await readBody(c.env.incoming, MAX_BODY_BYTES);
    return send(c, await answering(() => validateListing(catalog, read)));
  });
}

/** Returns an entry in JSON Feed 1.1. Its texts are the seller's, as plain text and never as HTML. */
function item(entry: CatalogEntry): object {
  const { listing, accepts, trust } = entry;
  const { resource, toolName, description, serviceName, tags, iconUrl } = listing;
  const named = toolName === undefined ? resource : `${resource} ${toolName}`;
  return {
    id: toolName === undefined ? resource : `${resource}#${toolName}`,
    // A URL template is not a link.
    ...(listing.templated || !/^https?:/.test(resource) ? {} : { url: resource }),
    title: serviceName ?? named,
    content_text: description ?? named,
    date_published: new Date(entry.createdAt).toISOString(),
    date_modified: new Date(entry.updatedAt).toISOString(),
    ...(tags.length === 0 ? {} : { tags }),
    ...(iconUrl === undefined ? {} : { image: iconUrl }),
    _x402: { type: listing.type, accepts, trust },
  };
}

/** `GET /discovery/feed.json`: the latest listings, as JSON Feed 1.1. Same filters as the list. */
async function feed(catalog: Catalog, parameters: Parameters): Promise<object> {
  const limit = readLimit(parameters);
  const filters = readListFilters(parameters);
  const { entries } = await catalog.list(filters, { limit, offset: 0, order: 'newest' });
  return {
    version: 'https://jsonfeed.org/version/1.1',
    title: 'Newly listed paid resources',
    description: 'Resources that entered the catalog by a settled payment. Texts are the sellers’.',
    items: entries.map(item),
  };
}

/** `GET /discovery/merchant?payTo=`: the resources of one recipient. Our addition; hosted peers have it too. */
async function listMerchant(catalog: Catalog, parameters: Parameters): Promise<DiscoveryMerchant> {
  const { payTo, ...filters } = readListFilters(parameters);
  if (payTo === undefined) throw new BadParameter('invalid_parameter', 'payTo is missing');
  const limit = readLimit(parameters);
  const offset = readOffset(parameters);
  const page = { limit, offset, order: readOrder(parameters) };
  const { entries, total } = await catalog.list({ ...filters, payTo }, page);
  return {
    x402Version: X402_VERSION,
    payTo,
    resources: entries.map(wireEntry),
    pagination: { limit, offset, total },
    ...unappliedFilters(parameters),
  };
}

/**
 * `GET /discovery/resources`: oldest first, so that new entries do not shift the pages, unless `order` is
 * given.
 */
async function listResources(catalog: Catalog, parameters: Parameters): Promise<DiscoveryList> {
  const filters = readListFilters(parameters);
  const limit = readLimit(parameters);
  const offset = readOffset(parameters);
  const order = readOrder(parameters);
  const { entries, total } = await catalog.list(filters, { limit, offset, order });
  return {
    x402Version: X402_VERSION,
    items: entries.map(wireEntry),
    pagination: { limit, offset, total },
    ...unappliedFilters(parameters),
  };
}

/** `GET /discovery/facets`: the number of matching entries for each type, asset and so on. */
async function readFacets(catalog: Catalog, parameters: Parameters): Promise<DiscoveryFacets> {
  const { total, type, scheme, network, asset, ownerVerified, protocol } = await catalog.facets(
    readListFilters(parameters),
  );
  return {
    x402Version: X402_VERSION,
    total,
    type: [...type],
    scheme: [...scheme],
    network: [...network],
    asset: [...asset],
    ownerVerified,
    protocol: [...protocol],
    ...unappliedFilters(parameters),
  };
}
