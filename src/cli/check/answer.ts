import { request } from 'node:http';
import { connect } from 'node:net';
import { CliError } from '../cliError.ts';
import type { Spelling } from './spellings.ts';

/** The response to a request line. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

const WITHIN_MS = 30_000;
const MAX_CHARACTERS = 200_000;

/**
 * Sends the target unchanged: a client would correct it.
 * @throws CliError `failed` if nothing answers
 */
export function ask(
  origin: string,
  { method, target, version, body: form, headers: own }: Omit<Spelling, 'name' | 'plain'>,
  common: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const headers = { ...common, ...own };
  if (version === '1.0') return askHttp10(origin, { method, target }, headers);
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        host: hostname.replace(/^\[|\]$/g, ''),
        port,
        method,
        path: target,
        // A connection of its own: some servers (Bun) close one without saying so.
        agent: false,
        headers: { accept: 'application/json', connection: 'close', ...headers },
        signal: AbortSignal.timeout(WITHIN_MS),
      },
      (response) => {
        let body = '';
        response.setEncoding('utf8');
        response.on('data', (text: string) => {
          body += text;
          // A response may be endless, so its end is not awaited.
          if (body.length > MAX_CHARACTERS) response.destroy();
        });
        response.once('error', () => undefined);
        response.once('close', () =>
          resolve({ status: response.statusCode ?? 0, headers: flat(response.headers), body }),
        );
      },
    );
    asked.once('error', (error) =>
      reject(
        new CliError(
          'failed',
          `${method} ${target} got no response from ${origin}: ${error.message}`,
        ),
      ),
    );
    asked.end(form);
  });
}

function flat(headers: NodeJS.Dict<string | string[]>): Answer['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  );
}

/** Sends a request of HTTP/1.0, which Node's client cannot, without a Host header, which 1.0 does not require. */
function askHttp10(
  origin: string,
  { method, target }: Pick<Spelling, 'method' | 'target'>,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  const { hostname, port } = new URL(origin);
  const lines = Object.entries({ accept: 'application/json', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port) || 80, hostname.replace(/^\[|\]$/g, ''));
    let received = '';
    socket.setEncoding('utf8');
    socket.setTimeout(WITHIN_MS, () => socket.destroy());
    socket.on('data', (text: string) => {
      received += text;
      if (received.length > MAX_CHARACTERS) socket.destroy();
    });
    socket.once('error', (error) =>
      reject(
        new CliError(
          'failed',
          `${method} ${target} got no response from ${origin}: ${error.message}`,
        ),
      ),
    );
    socket.once('close', () => resolve(parsedAnswer(received)));
    socket.write(`${[`${method} ${target} HTTP/1.0`, ...lines].join('\r\n')}\r\n\r\n`);
  });
}

/** A response as it arrived; status 0 if the server closed the connection without one. */
function parsedAnswer(received: string): Answer {
  const [head = '', ...rest] = received.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const [name = '', ...value] = line.split(':');
    return [name.toLowerCase(), value.join(':').trim()];
  });
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1] ?? 0);
  return { status, headers: Object.fromEntries(headers), body: rest.join('\r\n\r\n') };
}
