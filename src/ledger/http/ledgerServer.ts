import {
  createServer as createHttpServer,
  type Server as HttpServer,
  type RequestListener,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer, type Socket } from 'node:net';
import type { ServerCertificates } from './certificates/certificateFiles.ts';
import { Connections } from './connections.ts';
import { listenOnLoopback } from './listen.ts';

/** The first byte of a TLS connection: a handshake record. No method of HTTP begins so. */
const TLS_HANDSHAKE = 0x16;
/** How long a connection may stay without saying anything at all. */
const SILENCE_MILLISECONDS = 30_000;
/** How long a request may take to arrive: its head, and all of it (a dumped state has up to 256 MB). */
const ARRIVAL = { headersTimeout: 10_000, requestTimeout: 120_000 };
/** How often requests that take longer are looked for. */
const CHECK_MILLISECONDS = 1_000;
const HANDSHAKE_MILLISECONDS = 10_000;
/** Longer than clients keep unused connections, so that they never write to one that just closed. */
const KEEP_ALIVE_MILLISECONDS = 75_000;

export interface LedgerServerOptions {
  readonly port: number;
  readonly busyPort: 'refuse' | 'move';
  readonly listener: RequestListener;
  /** Opens or makes the certificates. Called when http is served already: making them takes a moment. */
  readonly certificates: () => Promise<ServerCertificates>;
  readonly onFault: (fault: Error) => void;
  /** Milliseconds that the head of a request, and all of it, may take to arrive. */
  readonly arrival?: typeof ARRIVAL;
}

export interface LedgerServer {
  readonly port: number;
  /** Those that https is served with. */
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
  // Those who wait for the certificates get the error too; this only keeps it from ending the process.
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
  const { port, servers } = await listenOnLoopback(options.port, options.busyPort, create);
  openCertificates();
  return {
    port,
    certificates: opened,
    async close() {
      const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)));
      await connections.close();
      http.close();
      https.then(
        (server) => server.close(),
        () => {},
      );
      await Promise.all(closed);
    },
  };
}

/**
 * Has a server cut off requests that arrive too slowly. Node looks for them once a server listens, and these never do: they
 * are given the connections of another one.
 */
function watchArrival(server: HttpServer): void {
  server.emit('listening');
}
