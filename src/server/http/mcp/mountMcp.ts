import type { Context, Hono } from 'hono';
import { readBody } from '../../../machine/index.ts';
import { ERROR_TABLE } from '../../../protocol/index.ts';
import type { Rejection } from '../../facilitator/index.ts';
import type { Answer } from '../answers.ts';
import { MAX_BODY_BYTES } from '../bodyLimit.ts';
import { errorBody } from '../errorBodies.ts';
import { preflightHeaders, readableBy } from '../pageOrigin.ts';
import { isDeeperThan } from '../readPaymentRequest.ts';
import { type Environment, send } from '../send.ts';
import { INVALID_REQUEST, PARSE_ERROR, rpcError, rpcMessageSchema } from './rpcMessage.ts';

/** Serves one message of MCP at a time and keeps nothing between them. */
export interface McpEndpoint {
  fetch(request: Request, options: { readonly parsedBody: unknown }): Promise<Response>;
}

/**
 * Opens the endpoint, at its first request.
 * @param ask reads a route of the catalog in this process
 */
export type OpenMcp = (ask: (url: URL) => Promise<Answer>) => Promise<McpEndpoint>;

export interface McpParts {
  /** If undefined, the route does not exist. */
  readonly openMcp: OpenMcp | undefined;
  readonly allowedOrigins: readonly string[];
}

/** Tools are called with a few words; a schema inside a message needs a dozen levels. */
const MAX_DEPTH = 64;
/** Headers that pages send in addition to the content type (revisions 2025-03-26 to 2026-07-28). */
const PAGE_HEADERS = 'content-type, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name';

function refusal(rejection: Rejection): Answer {
  return { status: ERROR_TABLE[rejection.code].status, body: errorBody('mcp', rejection) };
}

/** Serves `POST /mcp`. Pages of foreign origins are refused before this, like any of their writes. */
export function mountMcp(
  app: Hono<Environment>,
  { openMcp, allowedOrigins }: McpParts,
  ask: (url: URL) => Promise<Answer>,
): void {
  let opening: Promise<McpEndpoint> | undefined;
  const open = (openEndpoint: OpenMcp) => {
    opening ??= openEndpoint(ask).catch((error: unknown) => {
      // The next request tries again.
      opening = undefined;
      throw error;
    });
    return opening;
  };
  app.use('/mcp', async (c, next) => {
    const { method } = c.req;
    const page = { method, origin: c.req.header('origin'), host: c.req.header('host') };
    const headers = c.get('headers');
    if (method === 'OPTIONS') {
      const allowed = preflightHeaders(page, allowedOrigins);
      const more = 'access-control-allow-headers' in allowed;
      const preflight = {
        ...headers,
        ...allowed,
        ...(more ? { 'access-control-allow-headers': PAGE_HEADERS } : {}),
      };
      return new Response(null, { status: 204, headers: preflight });
    }
    if (method === 'POST') c.set('headers', { ...headers, ...readableBy(page, allowedOrigins) });
    return next();
  });
  app.post('/mcp', async (c) => {
    if (openMcp === undefined) return send(c, refusal({ code: 'not_found' }));
    const read = await readMessage(c);
    if ('answer' in read) return send(c, read.answer);
    const { url, signal } = c.req.raw;
    const headers = acceptingBoth(c.req.raw.headers);
    const request = new Request(url, { method: 'POST', headers, signal });
    const endpoint = await open(openMcp);
    return withHeaders(c, await endpoint.fetch(request, { parsedBody: read.message }));
  });
}

type Read = { readonly message: unknown } | { readonly answer: Answer };

/**
 * Reads one message, whose cost is that of one request. Batches, which only revision 2025-03-26 has, would make
 * one request cost as much as many.
 */
async function readMessage(c: Context<Environment>): Promise<Read> {
  const read = await readBody(c.env.incoming, MAX_BODY_BYTES);
  if (read.status === 'too_large') return { answer: refusal({ code: 'body_too_large' }) };
  if (read.status === 'broken_off') return { answer: refusal({ code: 'invalid_http' }) };
  const wrong = (code: number, message: string): Read => ({
    answer: { status: 400, body: rpcError(code, message) },
  });
  if (isDeeperThan(read.text, MAX_DEPTH)) {
    return wrong(INVALID_REQUEST, `The message is nested deeper than ${MAX_DEPTH}.`);
  }
  let message: unknown;
  try {
    message = JSON.parse(read.text);
  } catch {
    return wrong(PARSE_ERROR, 'The body is not JSON.');
  }
  if (Array.isArray(message)) {
    return wrong(INVALID_REQUEST, 'Batches are not supported. Send one message in each request.');
  }
  return rpcMessageSchema.safeParse(message).success
    ? { message }
    : wrong(INVALID_REQUEST, 'The body is not a JSON-RPC message with a method.');
}

/** MCP requires both of its types in `accept`. By RFC 9110, a client that accepts any type accepts both. */
function acceptingBoth(given: Headers): Headers {
  const headers = new Headers(given);
  const accept = given.get('accept');
  if (accept === null || accept.includes('*/*')) {
    headers.set('accept', 'application/json, text/event-stream');
  }
  return headers;
}

function withHeaders(c: Context<Environment>, response: Response): Response {
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(c.get('headers'))) headers.set(name, value);
  return new Response(response.body, { status: response.status, headers });
}
