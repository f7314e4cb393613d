import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { encodeHeaderMessage } from '../../src/protocol/index.ts';
import type { OwnershipFetch } from '../../src/server/catalog/ownership/fetchChallenge.ts';
import { testCertificate } from './testCertificate.ts';

/** A public address that tests give to their sellers' names; nothing is ever sent to it. */
export const PUBLIC_ADDRESS = '93.184.216.34';

/** A seller on a TLS socket of this machine, under a public name. */
export interface TlsSeller {
  readonly host: string;
  /** How to reach it: the name's address, where that is, and whom to trust. */
  readonly fetch: OwnershipFetch;
  /** Addresses that were dialled, with their ports. */
  readonly dialled: string[];
  /** Requests that arrived. */
  readonly requests: IncomingMessage[];
  /** Bytes that left the server, TLS included. */
  sent(): number;
  close(): Promise<void>;
}

export type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

/** The challenge of a seller, as its header carries it. */
export function challengeFor(...recipients: readonly string[]): string {
  return encodeHeaderMessage({
    x402Version: 2,
    accepts: recipients.map((payTo) => ({ scheme: 'exact', payTo, amount: '1' })),
  });
}

/** Starts a seller that answers as `behave` says. Its certificate holds for `names`. */
export async function startTlsSeller(
  behave: Behaviour,
  { host = 'seller.dev', names = [host] }: { host?: string; names?: readonly string[] } = {},
): Promise<TlsSeller> {
  const { certificate, key } = await testCertificate(names);
  const requests: IncomingMessage[] = [];
  const sockets = new Set<Socket>();
  let written = 0;
  const server = createServer({ cert: certificate, key }, (request, response) => {
    requests.push(request);
    behave(request, response);
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => {
      written += socket.bytesWritten;
      sockets.delete(socket);
    });
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const dialled: string[] = [];
  return {
    host,
    dialled,
    requests,
    fetch: {
      resolve: async () => [PUBLIC_ADDRESS],
      // The address was judged as in production; only the wire to it ends on this machine.
      dial: (address, asked) => {
        dialled.push(`${address}:${asked}`);
        return connect(port, '127.0.0.1');
      },
      trustAnchors: [certificate],
    },
    sent: () => [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, written),
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
