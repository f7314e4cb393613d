import { request } from 'node:http';
import { CliError } from '../cliError.ts';

/** The response to a request line. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

const WITHIN_MS = 30_000;
const MOST_CHARACTERS = 200_000;

/**
 * Sends the target unchanged: a client would correct it.
 * @throws CliError `failed` if nothing answers
 */
export function ask(
  origin: string,
  { method, target }: { readonly method: string; readonly target: string },
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        host: hostname.replace(/^\[|\]$/g, ''),
        port,
        method,
        path: target,
        headers: { accept: 'application/json', connection: 'close', ...headers },
        signal: AbortSignal.timeout(WITHIN_MS),
      },
      (response) => {
        let body = '';
        response.setEncoding('utf8');
        response.on('data', (text: string) => {
          body += text;
          // A response may be endless, so its end is not awaited.
          if (body.length > MOST_CHARACTERS) response.destroy();
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
    asked.end();
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
