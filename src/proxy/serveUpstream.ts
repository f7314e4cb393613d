import type { IncomingMessage } from 'node:http';
import type { Page, Rest } from './page.ts';
import { headersOf } from './page.ts';
import { Spool } from './spool.ts';
import type { Upstream, UpstreamRequest } from './upstream.ts';

/** How a response of a sold route is taken from the upstream. */
export interface ServeRules {
  readonly folder: string;
  readonly maxBytes: number;
  readonly holdMs: number;
  /** The money is taken already, so nothing has to be kept. */
  readonly isSettled: boolean;
  /** Path of the request, to recognize a redirect to the same resource. */
  readonly path: string;
}

/** Types of bodies that do not end by themselves. */
const STREAMS =
  /^(?:text\/event-stream|multipart\/x-mixed-replace|application\/x-ndjson|application\/jsonl)\b/i;

/** Returns the proxy's own response in place of one of the upstream. */
export function ownPage(status: number, error: string, message: string, problem: string): Page {
  const bytes = Buffer.from(JSON.stringify({ error, message }));
  return {
    ...{ good: false, whole: true, status, problem },
    rawHeaders: ['Content-Type', 'application/json', 'Cache-Control', 'no-store'],
    body: { bytes, file: undefined, length: bytes.length },
    rest: undefined,
  };
}

/** Returns what is left of a response. */
export function restOf(response: IncomingMessage, pieces: AsyncIterator<Buffer>): Rest {
  return {
    pieces,
    trailers: () => response.rawTrailers,
    destroy: () => response.destroy(),
  };
}

/** Whether a redirect only adds or removes the slash at the end of the path, which sells nothing. */
function isSlashRedirect(
  status: number,
  location: string | undefined,
  path: string,
  origin: string,
): boolean {
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return false;
  const base = new URL(path, origin);
  if (!URL.canParse(location, base.href)) return false;
  const to = new URL(location, base);
  const bare = (text: string): string => text.replace(/\/$/, '');
  return to.origin === base.origin && bare(to.pathname) === bare(base.pathname);
}

/**
 * Has the upstream serve a request that was paid for. A failure, and a redirect to the same path, is not sold. A response that is
 * whole within the bounds is kept; anything else is a stream. Never rejects.
 */
export async function serveUpstream(
  upstream: Upstream,
  request: UpstreamRequest,
  rules: ServeRules,
): Promise<Page> {
  let response: IncomingMessage;
  try {
    response = await upstream.send(request);
  } catch (error) {
    return unreachable(error);
  }
  const { statusCode: status = 502, rawHeaders } = response;
  const headers = headersOf(rawHeaders);
  const pieces: AsyncIterator<Buffer> = response[Symbol.asyncIterator]();
  const page = { status, rawHeaders, body: undefined, rest: restOf(response, pieces) };
  if (status >= 400) {
    return { ...page, good: false, whole: false, problem: `the upstream answered ${status}` };
  }
  if (isSlashRedirect(status, headers.get('location'), rules.path, upstream.origin)) {
    return { ...page, good: false, whole: false, problem: 'a redirect to the same path is free' };
  }
  if (rules.isSettled || STREAMS.test(headers.get('content-type') ?? '')) {
    return { ...page, good: true, whole: false };
  }
  return keep(page, rules);
}

function unreachable(error: unknown): Page {
  const why = error instanceof Error ? error.message : 'no answer';
  return ownPage(502, 'upstream_unreachable', 'The API behind this proxy did not answer.', why);
}

/** Reads a response into memory or a file; what does not fit is passed on as it arrives. */
async function keep(
  page: Pick<Page, 'status' | 'rawHeaders'> & { readonly rest: Rest },
  { folder, maxBytes, holdMs }: ServeRules,
): Promise<Page> {
  const { rest, status, rawHeaders } = page;
  const spool = new Spool(folder, maxBytes);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), holdMs);
  });
  try {
    for (;;) {
      const next = rest.pieces.next();
      const read = await Promise.race([next, late]);
      if (read === 'late') {
        return {
          ...{ good: true, whole: false, status, rawHeaders },
          body: await spool.taken(),
          rest: after(rest, next),
        };
      }
      if (read.done) {
        return {
          ...{ good: true, whole: true, status, rawHeaders },
          body: await spool.taken(),
          rest: undefined,
        };
      }
      if (!(await spool.add(read.value))) {
        const piece = Promise.resolve(read);
        return {
          ...{ good: true, whole: false, status, rawHeaders },
          body: await spool.taken(),
          rest: after(rest, piece),
        };
      }
    }
  } catch (error) {
    await spool.drop();
    rest.destroy();
    return unreachable(error);
  } finally {
    clearTimeout(timer);
  }
}

/** What is left, with a piece that was asked for already. */
function after(rest: Rest, next: Promise<IteratorResult<Buffer>>): Rest {
  let first: Promise<IteratorResult<Buffer>> | undefined = next;
  // Read later, and reported then.
  next.catch(() => {});
  return {
    ...rest,
    pieces: {
      next() {
        const taken = first ?? rest.pieces.next();
        first = undefined;
        return taken;
      },
    },
  };
}
