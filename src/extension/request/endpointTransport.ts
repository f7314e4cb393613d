import type { HttpTransport } from '../../sdk/exact/index.ts';
import { type Exchange, encodingsOf, headerOf, nodeTransport } from '../http/index.ts';
import { textOfBody } from './answerShown.ts';
import { type BuiltRequest, USUAL_TIME_LIMIT } from './builtRequest.ts';
import type { CookieJar } from './cookieJar.ts';

/** How the panel sends requests to an endpoint. */
export interface EndpointOptions {
  /** Milliseconds that a response may take. */
  readonly timeoutMs: BuiltRequest['timeoutMs'] | undefined;
  readonly certificateAuthorityFile: string | null | undefined;
  /** Cancels a response, also one that shows the outcome of a payment, once its head has come. */
  readonly signal: AbortSignal;
  /** Cookies of the session. */
  readonly jar: CookieJar;
  /** Called with text of a stream as it arrives. */
  readonly onStream: (text: string) => void;
  /** Called with each response. */
  readonly onExchange: (seen: Exchange, isPaid: boolean) => void;
}

/** Bodies are kept in memory, and a page shows less. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;
const STREAM = /^(text\/event-stream|application\/(x-ndjson|ndjson|jsonl))\b/i;

/** Returns a transport that sends requests to an endpoint with the session's cookies, and passes each response on as it came. */
export function endpointTransport(options: EndpointOptions): HttpTransport {
  const { timeoutMs = USUAL_TIME_LIMIT * 1_000, signal, jar, onStream, onExchange } = options;
  return async (request) => {
    const decoder = new TextDecoder();
    const ask = nodeTransport({
      certificateAuthorityFile: options.certificateAuthorityFile,
      timeoutMs,
      maxBytes: MAX_BODY_BYTES,
      keepPartial: true,
      // On a connection that the server has just closed, a request would fail although the server runs.
      isFresh: true,
      afterHead: signal,
      onChunk(head, chunk) {
        const isStream = STREAM.test(headerOf(head, 'content-type') ?? '');
        if (isStream && encodingsOf(head).length === 0) {
          onStream(decoder.decode(chunk, { stream: true }));
        }
      },
    });
    const own = request.headers?.['cookie'];
    const cookie = own ?? jar.headerFor(request.url);
    const headers = { ...request.headers, ...(cookie === undefined ? {} : { cookie }) };
    const response = await ask({ ...request, headers });
    const seen = response.exchange;
    const lines = seen.headers.filter(([name]) => /^set-cookie$/i.test(name));
    jar.keep(
      request.url,
      lines.map(([, value]) => value),
    );
    onExchange(seen, carriesPayment(headers));
    // Quoted in its own charset, as the panel shows it.
    return { ...response, text: () => Promise.resolve(textOfBody(seen) ?? '') };
  };
}

/** Whether a request carries a payment, of x402 or MPP. */
function carriesPayment(headers: Readonly<Record<string, string>>): boolean {
  return Object.entries(headers).some(([name, value]) => {
    const known = name.toLowerCase();
    return (
      known === 'payment-signature' ||
      ((known === 'authorization' || known === 'payment-authorization') &&
        /^payment\s/i.test(value))
    );
  });
}
