import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { join } from 'node:path';

/** The name under which the pages have a proxy, and its certificate. */
export const NAME = 'facilitator.example.com';

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** A request through a proxy. */
export interface AskedByTls {
  readonly port: number;
  /** PEM of the certificate that the proxy must show. */
  readonly authority: string;
  /** The address that asks. */
  readonly from?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sends a POST with this text. */
  readonly body?: string;
  readonly timeoutMs?: number;
}

/**
 * Makes a certificate for `NAME` in a folder, in the files that the configurations of deploy/ name.
 * @returns its PEM
 */
export function makeCertificate(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const key = join(folder, 'privkey.pem');
  const chain = join(folder, 'fullchain.pem');
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
      ...['-keyout', key, '-out', chain, '-days', '2', '-subj', `/CN=${NAME}`],
      ...['-addext', `subjectAltName=DNS:${NAME}`],
    ],
    { stdio: 'pipe' },
  );
  const authority = readFileSync(chain, 'utf8');
  writeFileSync(join(folder, 'haproxy.pem'), authority + readFileSync(key, 'utf8'));
  return authority;
}

/** Sends a request through a proxy by TLS, with the certificate verified under the proxy's name. */
export function askByTls(path: string, asked: AskedByTls): Promise<Answered> {
  const { port, authority, from = '127.0.0.1', headers = {}, body, timeoutMs } = asked;
  return new Promise((resolve, reject) => {
    const request = https.request(
      {
        host: '127.0.0.1',
        port,
        path,
        localAddress: from,
        servername: NAME,
        ca: authority,
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          host: NAME,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        agent: false,
        ...(timeoutMs === undefined ? {} : { signal: AbortSignal.timeout(timeoutMs) }),
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
        response.on('error', reject);
      },
    );
    request.once('error', reject);
    request.end(body);
  });
}
