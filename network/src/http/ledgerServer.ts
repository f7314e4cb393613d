import {
  createServer as createHttpServer,
  type Server as HttpServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer, isIP, type Server, type Socket } from 'node:net';
import type { ServerCertificates } from './certificates/certificateFiles.ts';

/** The first byte of a TLS connection: a handshake record. No HTTP method begins with it. */
const TLS_HANDSHAKE = 0x16;
/** How long a new connection can stay silent. */
const SILENCE_MILLISECONDS = 30_000;
/** How long a request can take to arrive: its head, and all of it (a dumped state can have 256 MB). */
const ARRIVAL = { headersTimeout: 10_000, requestTimeout: 120_000 };
/** How often the server checks for requests that take longer. */
const CHECK_MILLISECONDS = 1_000;
const HANDSHAKE_MILLISECONDS = 10_000;
/** Longer than clients keep idle connections, so that they never write to one that has just closed. */
const KEEP_ALIVE_MILLISECONDS = 75_000;

interface LedgerServerOptions {
  readonly port: number;
  readonly busyPort: 'refuse' | 'move';
  /** IP address to listen on besides the loopback interface. */
  readonly host?: string;
  readonly listener: RequestListener;
  /** Opens or creates the certificates. Called once http is served, because creating them takes a moment. */
  readonly certificates: () => Promise<ServerCertificates>;
  readonly onFault: (fault: Error) => void;
  /** Milliseconds that a request's head, and all of it, can take to arrive. */
  readonly arrival?: typeof ARRIVAL;
}

interface LedgerServer {
  readonly port: number;
  /** The certificates used for https. */
  readonly certificates: Promise<ServerCertificates>;
  close(): Promise<void>;
}

/**
 * Serves http and https on one port; a connection's first byte distinguishes them.
 * @throws PortError
 */
export async function startLedgerServer(options: LedgerServerOptions): Promise<LedgerServer> {
  const { listener, certificates, onFault, arrival = ARRIVAL } = options;
  const timing = {
    ...arrival,
    keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
    connectionsCheckingInterval: CHECK_MILLISECONDS,
  };
  const connections = new Connections();
  const http = createHttpServer(timing, listener);
  connections.follow(http);
  watchArrival(http);
  let openCertificates = (): void => {};
  const opened = new Promise<ServerCertificates>((resolve) => {
    openCertificates = () => resolve(certificates());
  });
  const https = opened.then(({ server: { certificate, key } }) => {
    const server = createHttpsServer(
      { ...timing, handshakeTimeout: HANDSHAKE_MILLISECONDS, cert: certificate, key },
      listener,
    );
    connections.follow(server);
    watchArrival(server);
    return server;
  });
  // Callers that wait for the certificates also get the error; this only keeps it from ending the process.
  https.catch(onFault);

  const receive = (socket: Socket): void => {
    connections.add(socket);
    socket.on('error', () => socket.destroy());
    socket.setTimeout(SILENCE_MILLISECONDS, () => socket.destroy());
    socket.once('data', (first: Buffer) => {
      socket.setTimeout(0);
      socket.removeAllListeners('timeout');
      socket.pause();
      socket.unshift(first);
      if (first[0] !== TLS_HANDSHAKE) {
        http.emit('connection', socket);
        socket.resume();
        return;
      }
      https.then(
        (server) => server.emit('connection', socket),
        () => socket.destroy(),
      );
    });
  };
  const create = () => createTcpServer({ noDelay: true }, receive);
  const { port, servers } = await listenOn(options, create);
  openCertificates();
  return {
    port,
    certificates: opened,
    async close() {
      const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)));
      await connections.close();
      http.close();
      await https.then(
        (server) => server.close(),
        () => {},
      );
      await Promise.all(closed);
    },
  };
}

/**
 * Makes a server cut off requests that arrive too slowly. Node starts checking for them when a server listens, but these
 * servers never do: another server passes its connections to them.
 */
function watchArrival(server: HttpServer): void {
  server.emit('listening');
}

/** How many ports are tried, starting with the requested one. */
const ATTEMPTS = 100;
const LAST_PORT = 65_535;

/** Servers that listen on the same port of several addresses. */
interface Listening {
  readonly port: number;
  readonly servers: readonly Server[];
}

interface ListenOptions {
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
async function listenOn(
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

/** How long requests in progress can still take once the server closes. */
const GRACE_MILLISECONDS = 2_000;

/** Tracks connections, so that a server can stop without waiting for idle ones. */
class Connections {
  readonly #sockets = new Set<Socket>();
  /**
   * Requests in progress, by `peerOf` of their connection: with TLS, a request has another socket than the one passed to `add`.
   */
  readonly #busy = new Map<string, number>();
  #closing = false;

  add(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  }

  /** Tracks a server's requests. */
  follow(server: HttpServer): void {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const { socket } = request;
      const peer = peerOf(socket);
      this.#count(peer, 1);
      response.once('close', () => {
        this.#count(peer, -1);
        if (this.#closing && !this.#busy.has(peer)) socket.destroySoon();
      });
    });
  }

  /** Closes idle connections now, the others once they have answered. */
  async close(): Promise<void> {
    this.#closing = true;
    for (const socket of this.#sockets) if (!this.#busy.has(peerOf(socket))) socket.destroy();
    const deadline = Date.now() + GRACE_MILLISECONDS;
    while (this.#sockets.size > 0 && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    for (const socket of this.#sockets) socket.destroy();
  }

  #count(peer: string, change: 1 | -1): void {
    const count = (this.#busy.get(peer) ?? 0) + change;
    if (count === 0) this.#busy.delete(peer);
    else this.#busy.set(peer, count);
  }
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/** Another process uses the port that the network was configured to use. */
export class PortError extends Error {
  override readonly name = 'PortError';
  readonly code = 'PORT_BUSY';
  /** The requested port. */
  readonly port: number;

  constructor(port: number) {
    super(
      `Port ${port} on 127.0.0.1 is in use. Stop the process that uses it, or choose another port.`,
    );
    this.port = port;
  }
}
