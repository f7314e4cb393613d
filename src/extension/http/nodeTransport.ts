import { readFileSync } from 'node:fs';
import type { HttpRequest, HttpResponse } from '../../sdk/exact/index.ts';
import { type Exchange, type ExchangeOptions, exchange } from './exchange.ts';

export interface NodeTransportOptions
  extends Partial<
    Pick<ExchangeOptions, 'keepPartial' | 'isFresh' | 'afterHead' | 'onChunk' | 'maxBytes'>
  > {
  /** PEM file of a certificate authority to trust in addition to the system's: the embedded network has its own. */
  readonly certificateAuthorityFile?: string | null | undefined;
  readonly timeoutMs?: number | undefined;
}

/** A response of this transport, with everything that came. */
export interface NodeResponse extends HttpResponse {
  readonly exchange: Exchange;
}

export type NodeTransport = (request: HttpRequest) => Promise<NodeResponse>;

const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/**
 * HTTP with Node's own modules, because the oldest editors run Node 16, which has no `fetch`. It does not follow redirects, and
 * does not use the environment's proxy for addresses of this machine.
 */
export function nodeTransport(options: NodeTransportOptions = {}): NodeTransport {
  const { certificateAuthorityFile, timeoutMs = DEFAULT_TIMEOUT_MS, ...rest } = options;
  let authority: string | undefined;
  return async (request) => {
    if (certificateAuthorityFile && new URL(request.url).protocol === 'https:') {
      authority ??= readFileSync(certificateAuthorityFile, 'utf8');
    }
    const seen = await exchange(request, {
      maxBytes: MAX_ANSWER_BYTES,
      ...rest,
      timeoutMs,
      authority,
    });
    return {
      status: seen.status,
      headers: { get: (name) => valuesOf(seen, name) },
      text: () => Promise.resolve(Buffer.from(seen.body).toString('utf8')),
      exchange: seen,
    };
  };
}

/** All values of a header in one line, as `fetch` has them: a challenge for each way to authorize can be in a header of its own. */
function valuesOf({ headers }: Exchange, name: string): string | null {
  const known = name.toLowerCase();
  const values = headers.flatMap(([key, value]) => (key.toLowerCase() === known ? [value] : []));
  return values.length === 0 ? null : values.join(', ');
}
