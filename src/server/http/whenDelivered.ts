import type { HttpBindings } from '@hono/node-server';

/**
 * Resolves to whether the response to a request reaches its connection: true once it was flushed to a
 * socket that was still open, false as soon as the connection has ended without it. Call it before
 * anything is awaited, so that the end of the connection is not missed.
 */
export function whenDelivered({ incoming, outgoing }: HttpBindings): Promise<boolean> {
  const { socket } = incoming;
  return new Promise((resolve) => {
    const lost = (): void => resolve(false);
    // A client that has closed its sending side may still wait for the response, but the server closes the connection with it.
    socket.once('end', lost);
    socket.once('close', lost);
    outgoing.once('close', lost);
    outgoing.once('finish', () => resolve(!socket.destroyed && socket.errored === null));
    void new Promise<void>((settled) => outgoing.once('close', settled)).then(() => {
      socket.off('end', lost);
      socket.off('close', lost);
    });
  });
}
