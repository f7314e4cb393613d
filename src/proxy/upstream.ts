import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest, Agent as TlsAgent } from 'node:https';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream';

/** A request as it goes upstream. */
export interface UpstreamRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Name and value in turn. */
  readonly headers: readonly string[];
  /** `undefined` without a body; its length, if known, is in the headers. */
  readonly body: (() => Readable) | undefined;
  /** Early hints, as the upstream sends them. */
  readonly onHints?: (link: string) => void;
  readonly signal: AbortSignal;
}

/** The upstream, over kept connections. */
export interface Upstream {
  readonly origin: string;
  readonly host: string;
  /** Returns a target as the upstream sees it, below the path of its URL. */
  pathOf(target: string): string;
  /** @throws Error if it does not answer */
  send(request: UpstreamRequest): Promise<IncomingMessage>;
  close(): void;
}

/** Connections to the upstream at a time; further requests wait. */
const MAX_CONNECTIONS = 256;

/**
 * Connects to an upstream. Uses `node:http` itself: headers stay as they came, with their order and letter case, and informational
 * responses and trailers are seen (decision 0134).
 * @param timeoutMs without a byte from the upstream
 */
export function connectUpstream(url: URL, timeoutMs: number): Upstream {
  const isTls = url.protocol === 'https:';
  const settings = { keepAlive: true, maxSockets: MAX_CONNECTIONS, maxFreeSockets: 64 };
  const agent = isTls ? new TlsAgent(settings) : new Agent(settings);
  const start = isTls ? httpsRequest : httpRequest;
  const base = url.pathname.replace(/\/$/, '');
  const pathOf = (target: string): string => `${base}${target}`;

  function attempt({
    method,
    target,
    headers,
    body,
    onHints,
    signal,
  }: UpstreamRequest): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const sent = start({
        agent,
        method,
        host: url.hostname.replace(/^\[|\]$/g, ''),
        port: url.port === '' ? (isTls ? 443 : 80) : Number(url.port),
        path: pathOf(target),
        headers: [...headers],
        setHost: false,
        timeout: timeoutMs,
        signal,
      });
      sent.on('timeout', () => sent.destroy(new Error('the upstream did not answer in time')));
      sent.on('information', ({ statusCode, headers: hints }) => {
        const { link } = hints;
        if (statusCode === 103 && onHints && link !== undefined) onHints(String(link));
      });
      sent.on('response', resolve);
      sent.on('error', (error) => reject(Object.assign(error, { reused: sent.reusedSocket })));
      if (body === undefined) sent.end();
      else pipeline(body(), sent, () => {});
    });
  }
  return {
    origin: url.origin,
    host: url.host,
    pathOf,
    async send(request) {
      try {
        return await attempt(request);
      } catch (error) {
        // The upstream closed a kept connection just when it was used: nothing of the request was read.
        const isStale = error instanceof Error && 'reused' in error && error.reused === true;
        const isReset = error instanceof Error && 'code' in error && error.code === 'ECONNRESET';
        const isSafe = request.body === undefined && /^(?:GET|HEAD|OPTIONS)$/.test(request.method);
        if (!isStale || !isReset || !isSafe) throw error;
        return attempt(request);
      }
    },
    close: () => agent.destroy(),
  };
}
