import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { HttpRequest, HttpResponse, HttpTransport } from '../../sdk/exact/index.ts';
import { t } from '../words/index.ts';

export interface NodeTransportOptions {
  /** PEM file of a certificate authority to trust in addition to the system's: the embedded network has its own. */
  readonly certificateAuthorityFile?: string | null | undefined;
  readonly timeoutMs?: number | undefined;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/**
 * HTTP with Node's own modules, because the oldest editors run Node 16, which has no `fetch`. It does not follow redirects, and
 * does not use the environment's proxy for addresses of this machine.
 */
export function nodeTransport(options: NodeTransportOptions = {}): HttpTransport {
  const { certificateAuthorityFile, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  let authority: string | undefined;
  const trust = () => {
    if (!certificateAuthorityFile) return {};
    authority ??= readFileSync(certificateAuthorityFile, 'utf8');
    return { ca: authority };
  };
  return (request) => send(request, timeoutMs, trust);
}

function send(
  { method, url, headers, body, signal }: HttpRequest,
  timeoutMs: number,
  trust: () => { ca?: string },
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const target = new URL(url);
    const secure = target.protocol === 'https:';
    if (!secure && target.protocol !== 'http:') {
      reject(new TypeError(`${url} is not an HTTP address`));
      return;
    }
    if (signal?.aborted) {
      reject(abortError());
      return;
    }
    const request = (secure ? https : http).request(target, {
      method,
      headers: {
        ...headers,
        ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
      },
      // Maximum size of a challenge header (spec: Limits).
      maxHeaderSize: 128 * 1024,
      ...(secure ? trust() : {}),
    });
    const stop = () => request.destroy(abortError());
    const timer = setTimeout(() => request.destroy(new Error(t('no response in time'))), timeoutMs);
    const finish = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    };
    signal?.addEventListener('abort', stop);
    request.on('error', (error) => {
      finish();
      reject(error);
    });
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > MAX_ANSWER_BYTES) request.destroy(new Error(t('the response is too large')));
        else chunks.push(chunk);
      });
      response.on('error', (error) => {
        finish();
        reject(error);
      });
      response.on('end', () => {
        finish();
        const text = Buffer.concat(chunks, size).toString('utf8');
        resolve({
          status: response.statusCode ?? 0,
          headers: { get: (name) => headerOf(response.headers, name) },
          text: () => Promise.resolve(text),
        });
      });
    });
    request.end(body);
  });
}

function headerOf(headers: http.IncomingHttpHeaders, name: string): string | null {
  const value = headers[name.toLowerCase()];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

function abortError(): Error {
  const error = new Error(t('The request was cancelled.'));
  error.name = 'AbortError';
  return error;
}
