import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How long requests in progress can still take once the server closes. */
const GRACE_MILLISECONDS = 2_000;

/** Tracks connections, so that a server can stop without waiting for idle ones. */
export class Connections {
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
