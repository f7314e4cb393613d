import type pg from 'pg';

/** The sockets of some pools. */
export interface Connections {
  /** Ends every connection at once; statements on them fail. */
  cut(): void;
}

interface Socket {
  destroy(): void;
}

/** The socket of a connection, which the driver's types leave out. */
function socketOf(client: object): Socket | undefined {
  const connection = 'connection' in client ? client.connection : undefined;
  if (typeof connection !== 'object' || connection === null) return undefined;
  const stream = 'stream' in connection ? connection.stream : undefined;
  if (typeof stream !== 'object' || stream === null) return undefined;
  return 'destroy' in stream && typeof stream.destroy === 'function'
    ? (stream as Socket)
    : undefined;
}

/** Follows the connections of pools from their beginning to their end. */
export function watchConnections(pools: readonly pg.Pool[]): Connections {
  const open = new Set<pg.PoolClient>();
  for (const pool of pools) {
    pool.on('connect', (client) => open.add(client));
    pool.on('remove', (client) => open.delete(client));
    // An idle connection that breaks is replaced with the next statement; nothing was asked of it.
    pool.on('error', () => {});
  }
  return {
    cut() {
      for (const client of open) socketOf(client)?.destroy();
    },
  };
}
