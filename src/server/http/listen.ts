import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { Hono } from 'hono';
import type { FacilitatorConfig } from '../config.ts';

export interface Listening {
  readonly url: string;
  readonly port: number;
  /** Stops taking connections; resolves when the last one is closed. */
  close(): Promise<void>;
}

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
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}
