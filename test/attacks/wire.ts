import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';

/** A raw answer. */
export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer;
  /** Sends the body in chunks of this size, without a length. */
  readonly chunks?: number;
}

/** Longest time that an answer may take. */
const PATIENCE_MS = 60_000;

/** How often a request with an unreadable answer is sent. */
const TRIES = 5;

/**
 * Sends a request as a program outside a browser can: with any header and any framing. A server that refuses a body
 * closes before it has read all of it; Node then gives up writing, and sometimes has not read the answer yet.
 */
async function ask(base: string, asked: Asked): Promise<Answered> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await askOnce(base, asked);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (tries === TRIES || (code !== 'EPIPE' && code !== 'ECONNRESET')) throw error;
    }
  }
}

function askOnce(base: string, asked: Asked): Promise<Answered> {
  const { method = 'GET', path = '/', headers = {}, body = '', chunks } = asked;
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const length =
      chunks !== undefined || method === 'GET' ? {} : { 'content-length': Buffer.byteLength(body) };
    const sent = request(
      { hostname, port, method, path, headers: { ...length, ...headers }, agent: false },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(parts).toString(),
          }),
        );
      },
    );
    let answered = false;
    sent.on('response', () => {
      answered = true;
    });
    sent.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text: '' });
    });
    // A server that refuses a body may close before it has read all of it; the answer is there.
    sent.on('error', (error) => (answered ? undefined : reject(error)));
    sent.setTimeout(PATIENCE_MS, () => sent.destroy(new Error('no answer')));
    if (chunks === undefined) {
      sent.end(body);
      return;
    }
    const bytes = Buffer.from(body);
    for (let at = 0; at < bytes.length; at += chunks) sent.write(bytes.subarray(at, at + chunks));
    sent.end();
  });
}

/** After this time without a byte, an open connection counts as finished. */
const QUIET_MS = 400;

/**
 * Writes bytes to a port, and returns the answer until the server closes or falls silent.
 * @param pieces each is sent when the one before has left
 * @param quietMs how long the server may be silent
 */
function exchange(
  base: string,
  pieces: string | readonly (string | Buffer)[],
  quietMs = QUIET_MS,
): Promise<string> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(port), hostname);
    const end = (): void => {
      socket.destroy();
      resolve(text);
    };
    // Until the first byte, a server is given longer: the machine may be busy.
    socket.setTimeout(Math.max(quietMs, 5_000));
    socket.on('timeout', end);
    socket.on('data', (part: Buffer) => {
      text += part.toString('latin1');
      socket.setTimeout(quietMs);
    });
    socket.on('end', end);
    socket.on('error', end);
    for (const piece of typeof pieces === 'string' ? [pieces] : pieces) {
      socket.write(piece, typeof piece === 'string' ? 'latin1' : undefined);
    }
  });
}

/** How requests of strangers are sent. */
export interface Wire {
  readonly ask: (base: string, asked: Asked) => Promise<Answered>;
  readonly exchange: (
    base: string,
    pieces: string | readonly (string | Buffer)[],
    quietMs?: number,
  ) => Promise<string>;
}

/** Sends them from this process. */
export const WIRE: Wire = { ask, exchange };

/** The statuses of the answers in what came back, one after the other, such as `400` or `200 400`. */
export function statusesIn(text: string): string {
  const found = [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => status ?? '');
  return found.length === 0 ? 'closed' : found.join(' ');
}

/** The code in an answer of the service: its own, or that of the policy gateway. */
export function codeIn(text: string): string {
  try {
    const body = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const code = body['reason'] ?? body['code'] ?? body['error'];
    return typeof code === 'string' ? code : 'no code';
  } catch {
    return 'no code';
  }
}

/** Status and code of an answer: `403 foreign_origin`. */
export function refusalOf({ status, text }: Answered): string {
  return `${status} ${codeIn(text)}`;
}
