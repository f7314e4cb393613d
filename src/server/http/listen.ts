import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { Hono } from 'hono';
import type { FacilitatorConfig } from '../config.ts';

export interface Listening {
  readonly url: string;
  readonly port: number;
  /**
   * Takes no new connections, waits for `answered`, and closes those that are left. Resolves when
   * the last one is closed.
   */
  close(answered: Promise<void>): Promise<void>;
}

/**
 * How long an idle connection stays. A client that sends on a connection just as it is closed learns
 * nothing of its request, and a `/settle` must not be lost to that: with Node's five seconds it
 * happens between the payments of one seller.
 */
const KEEP_ALIVE_MS = 75_000;

/** Time for the last answers to leave before connections are cut. */
const LAST_BYTES_MS = 50;

function bind(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/**
 * Serves the app. A port that is taken is an error, or with `busyPort: 'move'` is left to whoever
 * has it: a free one is taken and stands in the result.
 */
export async function listen(
  app: Hono,
  { host, port, busyPort }: Pick<FacilitatorConfig, 'host' | 'port' | 'busyPort'>,
): Promise<Listening> {
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  try {
    await bind(server, host, port);
  } catch (error) {
    const busy = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    if (!busy || busyPort !== 'move') throw error;
    await bind(server, host, 0);
  }
  const address = server.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${name}:${address.port}`,
    port: address.port,
    async close(answered) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      await answered;
      // The last answers are handed to the sockets in this turn; a client that keeps its
      // connection open after them has no claim on ours.
      setTimeout(() => server.closeAllConnections(), LAST_BYTES_MS);
      await closed;
    },
  };
}
