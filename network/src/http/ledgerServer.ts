import {
  createServer as createHttpServer,
  type Server as HttpServer,
  type RequestListener,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer, type Socket } from 'node:net';
import type { ServerCertificates } from './certificates/certificateFiles.ts';
import { Connections } from './connections.ts';
import { listenOn } from './listen.ts';

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

export interface LedgerServerOptions {
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

export interface LedgerServer {
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
