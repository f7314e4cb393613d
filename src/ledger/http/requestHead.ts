import type { IncomingMessage, ServerResponse } from 'node:http';
import { isLoopbackHost } from '../../machine/index.ts';

/** What browsers need to let a page call this server: no cookies are involved, so every page may (as on testnet). */
export const CORS_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET, POST, OPTIONS',
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Expose-Headers': '*',
  // A page of the web may call a server on this machine only if that says so.
  'Access-Control-Allow-Private-Network': 'true',
} as const;

/**
 * Deals with what concerns every request.
 * @param pages whether pages in a browser may call this endpoint; if not, preflights are denied
 * @returns whether the request has been answered
 */
export function answeredByHead(
  request: IncomingMessage,
  response: ServerResponse,
  pages: boolean,
): boolean {
  if (refusedByHost(request, response)) return true;
  // Names know no case, but what comes after this compares letters.
  request.headers.host = request.headers.host?.toLowerCase() ?? '';
  if (!pages) return false;
  for (const [name, value] of Object.entries(CORS_HEADERS)) response.setHeader(name, value);
  if (request.method !== 'OPTIONS') return false;
  response.writeHead(204, { 'Access-Control-Max-Age': '86400' }).end();
  return true;
}

/** Refuses what was not meant for this machine. @returns whether the request has been answered */
export function refusedByHost(request: IncomingMessage, response: ServerResponse): boolean {
  if (isLoopbackHost(request.headers.host)) return false;
  const text = 'This server answers requests for localhost only.\n';
  response.writeHead(403, { 'Content-Type': 'text/plain; charset=utf-8' }).end(text);
  return true;
}
