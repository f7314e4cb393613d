import type { Hono } from 'hono';
import { readBody } from '../../../machine/index.ts';
import { ERROR_TABLE } from '../../../protocol/index.ts';
import type { Catalog } from '../../catalog/index.ts';
import type { Rejection } from '../../facilitator/index.ts';
import { StoreError } from '../../store/index.ts';
import type { Answer } from '../answers.ts';
import { MAX_BODY_BYTES } from '../bodyLimit.ts';
import { errorBody } from '../errorBodies.ts';
import { preflightHeaders, readableBy } from '../pageOrigin.ts';
import { type Environment, send } from '../send.ts';
import { feed } from './feed.ts';
import { listMerchant } from './listMerchant.ts';
import { listResources } from './listResources.ts';
import { listedOpenApi } from './openApi/index.ts';
import { BadParameter, Parameters } from './parameters.ts';
import { readFacets } from './readFacets.ts';
import { searchResources } from './searchResources.ts';
import { validateListing } from './validateListing.ts';

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
