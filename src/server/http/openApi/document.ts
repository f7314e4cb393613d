import { z } from 'zod';
import { PAYMENT_PROTOCOLS } from '../../../protocol/index.ts';
import {
  discoveryFacetsSchema,
  discoveryListSchema,
  discoveryMerchantSchema,
  discoverySearchSchema,
  discoveryValidationSchema,
  facilitatorRequestSchema,
  healthSchema,
  readinessSchema,
  settlementStatusSchema,
  settleResponseSchema,
  supportedResponseSchema,
  verifyResponseSchema,
} from '../../../protocol/wire/index.ts';
import { ORDERS } from '../../catalog/index.ts';
import { validationRequestSchema } from '../discovery/index.ts';
import type { Endpoint } from '../errorBodies.ts';
import { rpcErrorSchema, rpcMessageSchema } from '../mcp/index.ts';
import { policyPaths } from '../policies/openApi.ts';
import { METHODS, type Path } from '../routes.ts';
import { manifestSchema } from '../wellKnown/index.ts';
import { codesByStatus } from './errorResponses.ts';
import { failureSchema } from './failureSchemas.ts';

type Json = Readonly<Record<string, unknown>>;

/** A zod schema as JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
function schemaOf(schema: z.ZodType): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input' });
  return json;
}

/** Query parameters that list and search share. */
const FILTERS = z.object({
  type: z.enum(['http', 'mcp']).optional(),
  payTo: z.string().max(256).optional(),
  scheme: z.string().max(256).optional(),
  network: z.string().max(256).optional(),
  extensions: z.string().max(256).optional(),
  limit: z.int().min(1).max(100).default(20),
  urlSubstring: z.string().max(256).optional(),
  minSettlements: z
    .string()
    .regex(/^\d{1,38}$/)
    .optional(),
  ownerVerified: z.enum(['true', 'false']).optional(),
  protocol: z
    .enum(PAYMENT_PROTOCOLS)
    .describe('in which a check of the owner saw the resource ask for payment')
    .optional(),
  maxUsdPrice: z
    .string()
    .regex(/^\d{1,32}(\.\d{1,7})?$/)
    .describe('most to pay in USDC, such as 0.01')
    .optional(),
});

const LIST_PARAMETERS = FILTERS.extend({
  asset: z.string().max(56).optional(),
  minAmount: z
    .string()
    .regex(/^\d{1,38}$/)
    .optional(),
  maxAmount: z
    .string()
    .regex(/^\d{1,38}$/)
    .optional(),
  offset: z.int().min(0).default(0),
  order: z.enum(ORDERS).default('oldest'),
});

const SEARCH_PARAMETERS = FILTERS.extend({
  query: z.string().min(1).describe('cut at 4,000 characters'),
  cursor: z.string().optional(),
});

interface Route {
  readonly endpoint: Endpoint;
  readonly operationId: string;
  readonly summary: string;
  readonly success: z.ZodType | 'text';
  readonly takesPayment?: boolean;
  readonly parameters?: z.ZodObject;
  /** A part of the path, as text. */
  readonly pathParameter?: string;
  readonly requestBody?: z.ZodType;
  /** Bodies by status, in addition to the refusals of every route. */
  readonly also?: Readonly<Record<number, z.ZodType>>;
}

const ROUTES: Readonly<Record<Path, Route>> = {
  '/verify': {
    endpoint: 'verify',
    operationId: 'verify',
    summary: 'Verifies a payment by simulating the whole transaction. Changes nothing.',
    success: verifyResponseSchema.extend({ isValid: z.literal(true), payer: z.string() }),
    takesPayment: true,
  },
  '/settle': {
    endpoint: 'settle',
    operationId: 'settle',
    summary: 'Settles a payment on the ledger, its fee paid by the sponsor.',
    success: settleResponseSchema.extend({ success: z.literal(true), amount: z.string() }),
    takesPayment: true,
  },
  '/settlements': {
    endpoint: 'settlements',
    operationId: 'findSettlement',
    summary: 'What became of a settlement, by the payer and the nonce that it signed.',
    success: settlementStatusSchema,
    parameters: z.object({ payer: z.string().max(256), nonce: z.string().max(20) }),
  },
  '/settlements/{hash}': {
    endpoint: 'settlements',
    operationId: 'readSettlement',
    summary: 'What became of a settlement, by its hash.',
    success: settlementStatusSchema,
    pathParameter: 'hash',
  },
  '/supported': {
    endpoint: 'other',
    operationId: 'supported',
    summary: 'What is served: schemes, network, extensions, and the accounts that sign.',
    success: supportedResponseSchema,
  },
  '/health': {
    endpoint: 'other',
    operationId: 'health',
    summary: 'Liveness, from memory alone. Not limited in rate.',
    success: healthSchema,
  },
  '/ready': {
    endpoint: 'other',
    operationId: 'ready',
    summary:
      'Whether a good payment would settle now: 503 with reasons while it would not. Not limited in rate.',
    success: readinessSchema.extend({ status: z.literal('ready') }),
    also: { 503: readinessSchema.extend({ status: z.literal('not_ready') }) },
  },
  '/metrics': {
    endpoint: 'other',
    operationId: 'metrics',
    summary:
      'Metrics in the text format of Prometheus, for programs on this machine. With OPERATOR_PORT they are on that port only.',
    success: 'text',
  },
  '/openapi.json': {
    endpoint: 'other',
    operationId: 'openApi',
    summary: 'This document.',
    success: z.looseObject({ openapi: z.string() }),
  },
  '/catalog': {
    endpoint: 'other',
    operationId: 'catalogPage',
    summary: 'The catalog as a page for people.',
    success: 'text',
  },
  '/mcp': {
    endpoint: 'mcp',
    operationId: 'mcp',
    summary:
      'The discovery tools for agents: MCP over Streamable HTTP, one message in each request.',
    success: z.looseObject({ jsonrpc: z.literal('2.0') }),
    requestBody: rpcMessageSchema,
    also: { 400: rpcErrorSchema, 404: rpcErrorSchema, 406: rpcErrorSchema },
  },
  '/.well-known/x402': {
    endpoint: 'discovery',
    operationId: 'wellKnown',
    summary:
      'What this host offers: the manifest of a facilitator, and what is listed on the host.',
    success: manifestSchema,
  },
  '/discovery/resources': {
    endpoint: 'discovery',
    operationId: 'listResources',
    summary: 'Lists the resources of the catalog, the oldest first unless order says otherwise.',
    success: discoveryListSchema,
    parameters: LIST_PARAMETERS,
  },
  '/discovery/search': {
    endpoint: 'discovery',
    operationId: 'searchResources',
    summary: 'Searches the catalog by words and by meaning.',
    success: discoverySearchSchema,
    parameters: SEARCH_PARAMETERS,
  },
  '/discovery/merchant': {
    endpoint: 'discovery',
    operationId: 'listMerchant',
    summary: 'What one recipient is paid for.',
    success: discoveryMerchantSchema,
    parameters: LIST_PARAMETERS.extend({ payTo: z.string().max(256) }),
  },
  '/discovery/facets': {
    endpoint: 'discovery',
    operationId: 'facets',
    summary: 'How the entries that are asked for spread over what they can be filtered by.',
    success: discoveryFacetsSchema,
    parameters: LIST_PARAMETERS.omit({ limit: true, offset: true, order: true }),
  },
  '/discovery/feed.json': {
    endpoint: 'discovery',
    operationId: 'feed',
    summary: 'What was listed last, as JSON Feed 1.1.',
    success: z.looseObject({ version: z.string(), items: z.array(z.looseObject({})) }),
    parameters: LIST_PARAMETERS.omit({ offset: true }),
  },
  '/discovery/openapi.json': {
    endpoint: 'discovery',
    operationId: 'listedOpenApi',
    summary: 'What is listed, as OpenAPI 3.1 with the price of each path in x-payment-info.',
    success: z.looseObject({ openapi: z.string(), paths: z.looseObject({}) }),
    parameters: LIST_PARAMETERS.omit({ type: true }).extend({
      origin: z
        .string()
        .max(256)
        .describe('such as https://api.example.com: the document of this seller alone')
        .optional(),
      limit: z.int().min(1).max(100).default(100),
    }),
  },
  '/discovery/validate': {
    endpoint: 'discovery',
    operationId: 'validateListing',
    summary: 'Why a resource is or is not listed: each rule, and how to fix it.',
    success: discoveryValidationSchema,
    requestBody: validationRequestSchema,
  },
};

const MEANINGS: Readonly<Record<number, string>> = {
  200: 'Judged',
  400: 'Not a request of this kind',
  403: 'A page of another origin asked',
  404: 'No such method of MCP',
  405: 'Another method than the path takes',
  406: 'The Accept header has no JSON, or no event stream',
  408: 'The request did not arrive whole in time',
  413: 'The body is larger than 32 KiB',
  415: 'The body is not JSON',
  421: 'Asked under another name than that of this machine',
  429: 'More requests than one minute allows',
  431: 'The headers are too large',
  500: 'A failure that the service does not know',
  503: 'Refused for now',
};

const RATE_LIMIT_HEADERS = {
  'ratelimit-limit': { schema: { type: 'string' }, description: 'Requests a minute' },
  'ratelimit-remaining': { schema: { type: 'string' }, description: 'Requests left' },
  'ratelimit-reset': { schema: { type: 'string' }, description: 'Seconds until one more passes' },
  'ratelimit-policy': { schema: { type: 'string' }, description: 'Limit and window in seconds' },
};

const EXTENSION_RESPONSES = {
  'extension-responses': {
    schema: { type: 'string' },
    description: 'Only with success: base64 of JSON by extension name, what the catalog did',
  },
};

function content(schema: Json): Json {
  return { content: { 'application/json': { schema } } };
}

function successContent({ success }: Route): Json {
  return success === 'text'
    ? { content: { 'text/plain': { schema: { type: 'string' } } } }
    : content(schemaOf(success));
}

function responsesOf(route: Route, path: Path): Json {
  const { endpoint, success } = route;
  const failures = codesByStatus(endpoint);
  const responses: Record<string, Json> = {};
  for (const [status, codes] of failures) {
    const failure = failureSchema(endpoint, codes);
    const beside = status === 200 && success !== 'text' ? success : undefined;
    const also = route.also?.[status] ?? beside;
    const answer = also === undefined ? failure : z.union([also, failure]);
    responses[status] = {
      description: MEANINGS[status] ?? 'Refused',
      ...(status === 429
        ? { headers: { ...RATE_LIMIT_HEADERS, 'retry-after': { schema: { type: 'string' } } } }
        : {}),
      ...content(schemaOf(answer)),
    };
  }
  for (const [status, schema] of Object.entries(route.also ?? {})) {
    const description = MEANINGS[Number(status)] ?? 'Refused';
    responses[status] ??= { description, ...content(schemaOf(schema)) };
  }
  const judged = responses['200'] ?? { description: 'As asked', ...successContent(route) };
  const headers = {
    ...(path === '/health' || path === '/ready' ? {} : RATE_LIMIT_HEADERS),
    ...(path === '/settle' ? EXTENSION_RESPONSES : {}),
  };
  return { ...responses, 200: { ...judged, headers } };
}

/** Query parameters as OpenAPI lists them. */
function parametersOf(parameters: z.ZodObject): Json {
  const listed = Object.entries(parameters.shape).map(([name, schema]) => ({
    name,
    in: 'query',
    required: !schema.safeParse(undefined).success,
    schema: schemaOf(schema as z.ZodType),
  }));
  return { parameters: listed };
}

function pathParameterOf(name: string): Json {
  return { parameters: [{ name, in: 'path', required: true, schema: { type: 'string' } }] };
}

function operationOf(route: Route, path: Path): Json {
  const { operationId, summary, takesPayment, parameters, pathParameter, requestBody } = route;
  return {
    operationId,
    summary,
    ...(parameters === undefined ? {} : parametersOf(parameters)),
    ...(pathParameter === undefined ? {} : pathParameterOf(pathParameter)),
    ...(requestBody === undefined
      ? {}
      : { requestBody: { required: true, ...content(schemaOf(requestBody)) } }),
    ...(takesPayment
      ? { requestBody: { required: true, ...content(schemaOf(facilitatorRequestSchema)) } }
      : {}),
    responses: responsesOf(route, path),
  };
}

/** Describes every route with every code it returns, from the schemas that read and write the wire. */
export function openApiDocument(): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Svc x402 facilitator',
      version: '2',
      description: 'Payment facilitator for x402 version 2 on stellar:testnet.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    paths: {
      ...Object.fromEntries(
        Object.entries(ROUTES).map(([path, route]) => [
          path,
          { [METHODS[path as Path].toLowerCase()]: operationOf(route, path as Path) },
        ]),
      ),
      ...policyPaths(),
    },
  };
}

let text: string | undefined;

/** Returns the document's text; created on the first request. */
export function openApiText(): string {
  text ??= JSON.stringify(openApiDocument());
  return text;
}
