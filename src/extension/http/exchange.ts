import http from 'node:http';
import https from 'node:https';
import type { HttpRequest } from '../../sdk/exact/index.ts';
import { t } from '../words/index.ts';

/** Why a body is not whole. */
export type CutReason = 'too_large' | 'timeout' | 'cancelled' | 'broken';

/** A response as it came: no byte of it decoded, no header left out. */
export interface Exchange {
  readonly status: number;
  readonly statusText: string;
  /** In the order of the wire, with repeated ones. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
  /** Milliseconds from the request to the last byte. */
  readonly ms: number;
  /** `undefined` for a whole body. */
  readonly cut: CutReason | undefined;
}

export interface ExchangeOptions {
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** PEM of a certificate authority to trust in addition to the system's. */
  readonly authority: string | undefined;
  /** Uses no connection of an earlier request. */
  readonly isFresh?: boolean;
  /** Keeps a body that is cut once the head has arrived, instead of failing. */
  readonly keepPartial?: boolean;
  /** Cancels only once the head has arrived: it shows the outcome of a payment. */
  readonly afterHead?: AbortSignal | undefined;
  /** Called with each piece of the body as it arrives. */
  readonly onChunk?: ((head: ExchangeHead, chunk: Uint8Array) => void) | undefined;
}

/** A response whose body is still to come. */
export type ExchangeHead = Pick<Exchange, 'status' | 'statusText' | 'headers'>;

/** The server was reached, or may have been, and sent no response: it is not known to be off. */
export class NoResponseError extends Error {
  readonly because: 'timeout' | 'broken';

  constructor(because: 'timeout' | 'broken', message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'NoResponseError';
    this.because = because;
  }
}

/** Why no response came, if the server is not known to be off. Bundles have copies of the class, so its name decides. */
export function whyNoResponse(error: unknown): NoResponseError['because'] | undefined {
  if (!(error instanceof Error) || error.name !== 'NoResponseError') return undefined;
  return 'because' in error && error.because === 'timeout' ? 'timeout' : 'broken';
}

/** Errors of a connection that was never made. */
const UNREACHED =
  /^(ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EHOSTDOWN|ENETDOWN)$/;

/** A header's first value; names are compared without case. */
export function headerOf({ headers }: Pick<Exchange, 'headers'>, name: string): string | undefined {
  return headers.find(([known]) => known.toLowerCase() === name.toLowerCase())?.[1];
}

/**
 * Sends a request over HTTP or HTTPS, without following redirects.
 * @throws NoResponseError if no response came from a server that may have been reached, another Error if it was not, or, without
 *   `keepPartial`, if the body is not whole
 */
export function exchange(
  { method, url, headers, body, signal }: HttpRequest,
  options: ExchangeOptions,
): Promise<Exchange> {
  const {
    timeoutMs,
    maxBytes,
    authority,
    keepPartial = false,
    afterHead,
    onChunk,
    isFresh = false,
  } = options;
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
    const begun = Date.now();
    const chunks: Buffer[] = [];
    let size = 0;
    let head: ExchangeHead | undefined;
    const request = (secure ? https : http).request(target, {
      method,
      headers: {
        ...headers,
        ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
      },
      ...(isFresh ? { agent: false } : {}),
      // Maximum size of a challenge header (spec: Limits).
      maxHeaderSize: 128 * 1024,
      ...(secure && authority !== undefined ? { ca: authority } : {}),
    });
    const stop = () => end('cancelled', abortError());
    const stopAfterHead = () => {
      if (head !== undefined) end('cancelled', abortError());
    };
    const timer = setTimeout(
      () => end('timeout', new NoResponseError('timeout', t('no response in time'))),
      timeoutMs,
    );
    let isEnded = false;
    function end(cut: CutReason | undefined, error?: Error): void {
      if (isEnded) return;
      isEnded = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      afterHead?.removeEventListener('abort', stopAfterHead);
      if (head !== undefined && (cut === undefined || keepPartial)) {
        const whole = Buffer.concat(chunks, size);
        resolve({ ...head, body: whole, ms: Date.now() - begun, cut });
      } else reject(error ?? new Error(t('no response in time')));
      if (cut !== undefined) request.destroy();
    }
    signal?.addEventListener('abort', stop);
    afterHead?.addEventListener('abort', stopAfterHead);
    request.on('error', (error: NodeJS.ErrnoException) => {
      const isReached = head === undefined && !UNREACHED.test(error.code ?? '');
      const { message } = error;
      end('broken', isReached ? new NoResponseError('broken', message, { cause: error }) : error);
    });
    request.on('response', (response) => {
      const { statusCode = 0, statusMessage = '', rawHeaders } = response;
      const pairs = rawHeaders.flatMap((name, index): [string, string][] =>
        index % 2 === 0 ? [[name, readable(rawHeaders[index + 1] ?? '')]] : [],
      );
      const seen: ExchangeHead = { status: statusCode, statusText: statusMessage, headers: pairs };
      head = seen;
      if (afterHead?.aborted) stopAfterHead();
      response.on('data', (chunk: Buffer) => {
        if (isEnded) return;
        const kept = chunk.subarray(0, maxBytes - size);
        size += kept.length;
        chunks.push(kept);
        onChunk?.(seen, kept);
        if (kept.length < chunk.length) {
          end('too_large', new Error(t('the response is too large')));
        }
      });
      response.on('error', (error) => end('broken', error));
      response.on('aborted', () => end('broken', new Error(t('the connection was closed'))));
      response.on('end', () => end(response.complete ? undefined : 'broken'));
    });
    request.end(body);
  });
}

/** Node reads the bytes of a header as ISO-8859-1. Servers that send others send UTF-8. */
function readable(value: string): string {
  if (!/[\u0080-\u00ff]/.test(value)) return value;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'latin1'));
  } catch {
    return value;
  }
}

function abortError(): Error {
  const error = new Error(t('The request was cancelled.'));
  error.name = 'AbortError';
  return error;
}
