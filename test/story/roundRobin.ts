import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A load balancer of the simplest kind, before several facilitators. */
export interface RoundRobin {
  readonly url: string;
  /** Requests that were sent on to another instance since one did not answer: path, and which one. */
  readonly unanswered: readonly (readonly [path: string, target: number])[];
  close(): Promise<void>;
}

interface Answered {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

function ask(
  target: string,
  { method = 'GET', url = '/', headers }: http.IncomingMessage,
  body: Buffer,
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const { host, ...others } = headers;
    const sent = http.request(
      new URL(url, target),
      { method, headers: others, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const { statusCode: status = 502, headers: told } = response;
          resolve({ status, headers: told, body: Buffer.concat(chunks) });
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/**
 * Sends each request to the next of these; if one does not answer, the identical request goes to the
 * one after it. That is safe with facilitators of one database: an identical `/settle` gets the
 * outcome of the first.
 * @param onRequest called with each request before an instance gets it
 */
export async function startRoundRobin(
  targets: readonly string[],
  onRequest: (path: string, target: number) => Promise<void>,
): Promise<RoundRobin> {
  let next = 0;
  const unanswered: [string, number][] = [];

  async function serve(request: http.IncomingMessage, response: http.ServerResponse) {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    for (let attempt = 0; attempt < targets.length; attempt++) {
      const number = next++ % targets.length;
      const { url: path = '/' } = request;
      await onRequest(path, number);
      try {
        const { status, headers, body: told } = await ask(targets[number] ?? '', request, body);
        const { 'transfer-encoding': _, connection: __, ...others } = headers;
        response.writeHead(status, { ...others, 'content-length': told.length }).end(told);
        return;
      } catch {
        unanswered.push([path, number]);
      }
    }
    response.writeHead(502).end();
  }

  const server = http.createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    unanswered,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
