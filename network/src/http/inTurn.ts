import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Maximum number of waiting requests on a connection before reading from it pauses. */
const MAX_WAITING = 8;

type Start = () => void;

/**
 * Answers the requests of a connection one after the other. A client can send many without reading an answer (pipelining). A
 * request is not processed until the previous answer is sent, so that unread answers do not pile up.
 */
export function inTurn(listener: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, Start[]>();
  const start = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    response.once('close', () => {
      const queue = waiting.get(socket) ?? [];
      const next = socket.destroyed ? undefined : queue.shift();
      if (next === undefined) waiting.delete(socket);
      else next();
      if (queue.length < MAX_WAITING && socket.isPaused()) socket.resume();
    });
    listener(request, response);
  };
  return (request, response) => {
    const { socket } = request;
    const queue = waiting.get(socket);
    if (queue === undefined) {
      waiting.set(socket, []);
      start(request, response);
      return;
    }
    queue.push(() => start(request, response));
    if (queue.length >= MAX_WAITING) socket.pause();
  };
}
