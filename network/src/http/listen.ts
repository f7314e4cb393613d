import { isIP, type Server } from 'node:net';
import { PortError } from './portError.ts';

/** How many ports are tried, starting with the requested one. */
const ATTEMPTS = 100;
const LAST_PORT = 65_535;

/** Servers that listen on the same port of several addresses. */
export interface Listening {
  readonly port: number;
  readonly servers: readonly Server[];
}

export interface ListenOptions {
  /** 0 for any free one. */
  readonly port: number;
  readonly busyPort: 'refuse' | 'move';
  /** IP address besides the loopback addresses. */
  readonly host?: string;
}

/**
 * Listens on 127.0.0.1 and, if the system has it, on ::1, because `localhost` can mean either; and on `host`, if given.
 * @param create creates a server; called for each address
 * @throws PortError if the port is in use and must not be changed, or no port is free; RangeError if the machine lacks
 *   `host`, TypeError if `host` is not an IP address
 */
export async function listenOn(
  { port, busyPort, host }: ListenOptions,
  create: () => Server,
): Promise<Listening> {
  if (host !== undefined && isIP(host) === 0) {
    throw new TypeError('host must be an IP address of this machine, or 0.0.0.0 or :: for all');
  }
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const wanted = port === 0 ? 0 : port + attempt;
    if (wanted > LAST_PORT) break;
    const listening = await listenOnAll(wanted, addressesWith(host), host, create);
    if (listening !== undefined) return listening;
    if (port !== 0 && busyPort === 'refuse') break;
  }
  throw new PortError(port);
}

/** The addresses to listen on, one that every system has first. `::` receives what is sent to IPv4 addresses too. */
function addressesWith(host: string | undefined): readonly string[] {
  if (host === '::') return ['::'];
  if (host === '0.0.0.0') return ['0.0.0.0', '::1'];
  return [...new Set(['127.0.0.1', '::1', ...(host === undefined ? [] : [host])])];
}

/** @returns undefined if the port is in use on one of the addresses */
async function listenOnAll(
  port: number,
  addresses: readonly string[],
  host: string | undefined,
  create: () => Server,
): Promise<Listening | undefined> {
  const servers: Server[] = [];
  const close = () =>
    Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  let actual = port;
  for (const address of addresses) {
    const server = create();
    const outcome = await listen(server, address, actual);
    if (outcome === 'listening') {
      servers.push(server);
      const bound = server.address();
      if (typeof bound === 'object' && bound !== null) actual = bound.port;
      continue;
    }
    if (outcome === 'absent' && address !== host && servers.length > 0) continue;
    await close();
    if (outcome === 'absent' && address === host) {
      throw new RangeError(`This machine does not have the address ${host}.`);
    }
    return undefined;
  }
  return { port: actual, servers };
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
