import { connect, type Socket } from 'node:net';

/** How a series of requests went. */
export interface Load {
  readonly seconds: number;
  /** Milliseconds of each request, sorted. */
  readonly taken: readonly number[];
  /** How often each status came. */
  readonly statuses: Readonly<Record<number, number>>;
}

/** The text of a GET request. */
export function get(target: string, headers: Readonly<Record<string, string>> = {}): Buffer {
  const lines = Object.entries({ host: '127.0.0.1', ...headers });
  return Buffer.from(
    `GET ${target} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
  );
}

const END_OF_HEAD = '\r\n\r\n';

/**
 * Sends requests over kept connections, each as soon as its connection has the answer before. It reads the length of an answer and
 * discards the rest: Node's own client needs more time for a request than some of the servers that it would measure.
 * @param next returns the next request, and `undefined` after the last one
 * @throws Error if a connection fails, or an answer has no length
 */
export async function load(
  port: number,
  connections: number,
  next: () => Buffer | undefined,
): Promise<Load> {
  const taken: number[] = [];
  const statuses: Record<number, number> = {};
  const sockets = await Promise.all(Array.from({ length: connections }, () => opened(port)));
  const begun = performance.now();
  await Promise.all(
    sockets.map(async (socket) => {
      for (let request = next(); request !== undefined; request = next()) {
        const started = performance.now();
        const status = await answered(socket, request);
        taken.push(performance.now() - started);
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    }),
  );
  const seconds = (performance.now() - begun) / 1_000;
  for (const socket of sockets) socket.destroy();
  return { seconds, taken: taken.sort((a, b) => a - b), statuses };
}

export function opened(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Sends a request, and waits for its whole answer. @returns the status */
function answered(socket: Socket, request: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    let head = '';
    let left: number | undefined;
    let status = 0;
    const finish = (end: () => void): void => {
      socket.off('data', read);
      socket.off('close', closed);
      end();
    };
    const closed = (): void =>
      finish(() => reject(new Error(`closed in the middle of an answer: ${head.slice(0, 200)}`)));
    const read = (piece: Buffer): void => {
      let body = piece.length;
      if (left === undefined) {
        const before = head.length;
        head += piece.toString('latin1');
        const end = head.indexOf(END_OF_HEAD);
        if (end < 0) return;
        body = before + piece.length - end - END_OF_HEAD.length;
        status = Number(head.slice(9, 12));
        const [, length] = /^content-length: *(\d+)/im.exec(head.slice(0, end)) ?? [];
        if (length === undefined) {
          finish(() => reject(new Error(`an answer without a length: ${head}`)));
          return;
        }
        left = Number(length);
      }
      left -= body;
      if (left <= 0) finish(() => resolve(status));
    };
    socket.on('data', read);
    socket.once('close', closed);
    socket.write(request);
  });
}
