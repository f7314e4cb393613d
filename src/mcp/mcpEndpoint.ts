import { createMcpHandler } from '@modelcontextprotocol/server';
import { catalogClient } from './catalogClient.ts';
import { discoveryServer } from './discoveryServer.ts';

/** An answer of the catalog's HTTP interface. */
interface CatalogAnswer {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Creates the read-only tools for HTTP (Streamable HTTP of revision 2026-07-28 and of older ones without sessions). Each
 * request gets its own server, and nothing is kept between requests.
 * @param ask reads a route of the catalog in this process
 */
export function mcpEndpoint(version: string, ask: (url: URL) => Promise<CatalogAnswer>) {
  const read = catalogClient(
    async () => 'http://catalog.localhost',
    async (url) => {
      const { status, body } = await ask(new URL(String(url)));
      return Response.json(body, { status });
    },
  );
  // The list of tools never changes, so there is nothing to subscribe to: no stream stays open.
  return createMcpHandler(() => discoveryServer(version, read), { maxSubscriptions: 0 });
}
