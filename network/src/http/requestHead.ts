import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { isLoopbackHost } from '../../../common/machine/loopbackHost.ts';

/**
 * The headers with which browsers let a page call this server. No cookies are involved, so every page is allowed to (as on
 * testnet).
 */
export const CORS_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET, POST, OPTIONS',
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Expose-Headers': '*',
  // A public page can call a server on this machine only if the server allows it.
  'Access-Control-Allow-Private-Network': 'true',
} as const;

/**
 * Handles the parts that all requests have in common.
 * @param host the address besides the loopback interface on which the server listens
 * @param pages whether pages in a browser are allowed to call this endpoint; if not, preflights are denied
 * @returns whether the request has been answered
 */
export function answeredByHead(
  request: IncomingMessage,
  response: ServerResponse,
  pages: boolean,
  host: string | undefined,
): boolean {
  if (refusedByHost(request, response, host)) return true;
  // Host names are case-insensitive, but later code compares them exactly.
  request.headers.host = request.headers.host?.toLowerCase() ?? '';
  if (!pages) return false;
  for (const [name, value] of Object.entries(CORS_HEADERS)) response.setHeader(name, value);
  if (request.method !== 'OPTIONS') return false;
  response.writeHead(204, { 'Access-Control-Max-Age': '86400' }).end();
  return true;
}

/**
 * Refuses requests that were not meant for this machine. @returns whether the request has been answered
 * @param host the address besides the loopback interface on which the server listens
 */
export function refusedByHost(
  request: IncomingMessage,
  response: ServerResponse,
  host: string | undefined,
): boolean {
  if (isLoopbackHost(request.headers.host)) return false;
  if (host !== undefined && isLocalName(request.headers.host)) return false;
  const text =
    host === undefined
      ? 'This server answers requests for localhost only.\n'
      : 'This server answers requests for an IP address, a name without a dot, or host.docker.internal.\n';
  response.writeHead(403, { 'Content-Type': 'text/plain; charset=utf-8' }).end(text);
  return true;
}

/**
 * Whether a name in the Host header cannot be one that a stranger owns: a page on the web that makes a browser send requests
 * here (DNS rebinding) does so under its own name in the public DNS.
 */
function isLocalName(host = ''): boolean {
  const name = host.toLowerCase().replace(/:\d{1,5}$/, '');
  if (isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0) return true;
  return name === 'host.docker.internal' || /^[a-z0-9_-]+$/.test(name);
}
