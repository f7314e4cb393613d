import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer, type Socket } from 'node:net';
import type { ServerCertificates } from './certificates/certificateFiles.ts';
import { Connections } from './connections.ts';
import { listenOnLoopback } from './listen.ts';

/** The first byte of a TLS connection: a handshake record. No method of HTTP begins so. */
const TLS_HANDSHAKE = 0x16;
/** How long a connection may stay without saying anything at all. */
const SILENCE_MILLISECONDS = 30_000;
/** Longer than clients keep unused connections, so that they never write to one that just closed. */
const KEEP_ALIVE_MILLISECONDS = 75_000;

export interface LedgerServerOptions {
  readonly port: number;
  readonly busyPort: 'refuse' | 'move';
  readonly listener: RequestListener;
  /** Opens or makes the certificates. Called when http is served already: making them takes a moment. */
  readonly certificates: () => Promise<ServerCertificates>;
  readonly onFault: (fault: Error) => void;
}

export interface LedgerServer {
  readonly port: number;
  /** Those that https is served with. */
  readonly certificates: Promise<ServerCertificates>;
  close(): Promise<void>;
}

/**
 * Serves http and https on one port, which tells them apart by a connection's first byte.
 * @throws PortError
 */
export async function startLedgerServer(options: LedgerServerOptions): Promise<LedgerServer> {
  const { listener, certificates, onFault } = options;
  const timing = { keepAliveTimeout: KEEP_ALIVE_MILLISECONDS };
  const connections = new Connections();
  const http = createHttpServer(timing, listener);
  connections.follow(http);
  let openCertificates = (): void => {};
  const opened = new Promise<ServerCertificates>((resolve) => {
    openCertificates = () => resolve(certificates());
  });
  const https = opened.then(({ server: { certificate, key } }) => {
    const server = createHttpsServer({ ...timing, cert: certificate, key }, listener);
    connections.follow(server);
    return server;
  });
  // Whoever waits for the certificates learns of it too; here it only must not end the process.
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
      await Promise.all(closed);
    },
  };
}
