import type { Server } from 'node:net';
import { PortError } from './portError.ts';

/** How many ports are tried, starting with the requested one. */
const ATTEMPTS = 100;
const LAST_PORT = 65_535;

/** Servers that listen on the same port of both loopback addresses. */
export interface Listening {
  readonly port: number;
  readonly servers: readonly Server[];
}

/**
 * Listens on 127.0.0.1 and, if the system has it, on ::1, because `localhost` can mean either.
 * @param port 0 for any free one
 * @param create creates a server; called for each address
 * @throws PortError if the port is in use and must not be changed, or no port is free
 */
export async function listenOnLoopback(
  port: number,
  busyPort: 'refuse' | 'move',
  create: () => Server,
): Promise<Listening> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const wanted = port === 0 ? 0 : port + attempt;
    if (wanted > LAST_PORT) break;
    const listening = await listenOnBoth(wanted, create);
    if (listening !== undefined) return listening;
    if (port !== 0 && busyPort === 'refuse') break;
  }
  throw new PortError(port);
}

/** @returns undefined if the port is in use on one of the addresses */
async function listenOnBoth(port: number, create: () => Server): Promise<Listening | undefined> {
  const v4 = create();
  if ((await listen(v4, '127.0.0.1', port)) !== 'listening') return undefined;
  const address = v4.address();
  const actual = typeof address === 'object' && address !== null ? address.port : port;
  const v6 = create();
  switch (await listen(v6, '::1', actual)) {
    case 'listening':
      return { port: actual, servers: [v4, v6] };
    case 'absent':
      return { port: actual, servers: [v4] };
    case 'busy':
      await new Promise((resolve) => v4.close(resolve));
      return undefined;
  }
}

/** `absent`: this machine does not have this address. */
function listen(
  server: Server,
  host: string,
  port: number,
): Promise<'listening' | 'busy' | 'absent'> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve('busy');
      else if (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT') resolve('absent');
      else reject(error);
    };
    server.once('error', fail);
    server.listen({ host, port, exclusive: true }, () => {
      server.off('error', fail);
      resolve('listening');
    });
  });
}
