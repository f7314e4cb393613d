import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { mcpEndpoint } from '../../src/mcp/mcpEndpoint.ts';
import { type Catalog, type CatalogParts, openCatalog } from '../../src/server/catalog/index.ts';
import { mountCatalogPage } from '../../src/server/http/catalogPage/index.ts';
import { askDiscovery, mountDiscovery } from '../../src/server/http/discovery/index.ts';
import { mountMcp, type OpenMcp } from '../../src/server/http/mcp/index.ts';
import type { Environment } from '../../src/server/http/send.ts';
import { mountWellKnown } from '../../src/server/http/wellKnown/index.ts';
import { silentLogger } from '../../src/server/logger.ts';
import { createCatalogSearch } from '../../src/server/search/index.ts';
import { type Database, openStore } from '../../src/server/store/index.ts';
import { type CatalogPaymentParts, catalogPayment } from './catalogPayment.ts';
import { localEmbedding } from './localEmbedding.ts';
import { type TestClock, testClock } from './testClock.ts';

/** A catalog over a store of its own, with its endpoints. */
export interface TestCatalog {
  readonly catalog: Catalog;
  readonly database: Database;
  readonly clock: TestClock;
  readonly url: string;
  /** Settles a payment, and returns what the header would say: `cataloged` or the reason. */
  settle(parts?: CatalogPaymentParts): Promise<string>;
  /** Asks an endpoint. */
  get<T = Record<string, unknown>>(path: string): Promise<{ status: number; body: T }>;
  post<T = Record<string, unknown>>(
    path: string,
    body: unknown,
  ): Promise<{ status: number; body: T }>;
  /** The same store with the next process over it. */
  restart(): Promise<TestCatalog>;
  /** Ends the process over the store, and leaves the store open. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** Every check is refused at once: tests that look at them bring their own way to a seller. */
const NOWHERE = { resolve: async () => [] };

export async function openTestCatalog(parts: Partial<CatalogParts> = {}): Promise<TestCatalog> {
  const database = parts.database ?? (await openStore({ databaseUrl: null, dataFolder: null }));
  const clock = (parts.clock as TestClock | undefined) ?? testClock(Date.UTC(2026, 10, 21));
  const catalog = openCatalog({
    ownershipFetch: NOWHERE,
    schemes: ['exact', 'upto'],
    ...parts,
    database,
    clock,
    search:
      parts.search ??
      createCatalogSearch({ clock, logger: silentLogger, provider: localEmbedding() }),
    logger: parts.logger ?? silentLogger,
  });
  const app = new Hono<Environment>();
  mountDiscovery(app, catalog, []);
  const openMcp: OpenMcp = async (ask) => mcpEndpoint('0', ask);
  const read = (url: URL) => askDiscovery(catalog, url);
  mountMcp(app, { openMcp, allowedOrigins: [] }, read);
  const supported = () => ({ kinds: [], extensions: [], signers: {} });
  mountWellKnown(app, { supported, ask: read, hasMcp: true });
  mountCatalogPage(app);
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  async function stop(): Promise<void> {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await catalog.close();
  }
  async function ask<T>(path: string, init?: RequestInit) {
    const response = await fetch(`${base}${path}`, init);
    return { status: response.status, body: (await response.json()) as T };
  }
  return {
    catalog,
    database,
    clock,
    url: base,
    async settle(payment) {
      const { bazaar } = await catalog.take(catalogPayment(payment));
      return bazaar?.status === 'rejected' ? bazaar.reason : 'cataloged';
    },
    get: (path) => ask(path),
    post: (path, body) =>
      ask(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    async restart() {
      await stop();
      return openTestCatalog({ ...parts, database, clock });
    },
    stop,
    async close() {
      await stop();
      await database.close();
    },
  };
}
