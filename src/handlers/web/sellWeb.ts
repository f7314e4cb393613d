import type { SellerLimits } from '../options.ts';
import { notePayment } from '../payment.ts';
import type { Incoming, SellRequest } from '../sellRequest.ts';
import { isStream, ownPage, type SoldPage } from '../soldPage.ts';
import { joined, passOn, type ReadBody, readBody } from './webBody.ts';

/** Statuses whose responses have no body. */
const BODILESS: ReadonlySet<number> = new Set([101, 204, 205, 304]);

/**
 * Sells a Fetch request.
 * @param serve the handler; may throw
 */
export async function sellWeb(
  route: SellRequest,
  request: Request,
  limits: SellerLimits,
  serve: (request: Request) => Promise<Response>,
): Promise<Response> {
  let begun: ReadBody | undefined;
  const result = await route(incomingOf(request, limits), async (payment) => {
    notePayment(request, payment);
    const response = await within(serve(request), limits.timeoutMs);
    if (response === undefined) {
      return ownPage(504, 'handler_failed', 'The seller did not serve this request in time.');
    }
    const { page, body } = await pageOf(response, payment.transaction !== undefined, limits);
    begun = body;
    return page;
  });
  if (result.kind === 'answer') {
    // A stream that was not paid for.
    begun?.rest?.cancel().catch(() => {});
    const { status, headers, body } = result.answer;
    const isEmpty = BODILESS.has(status) || request.method === 'HEAD';
    return new Response(isEmpty ? null : body, { status, headers: headersOf(headers) });
  }
  const { page, headers, ended } = result;
  const { status } = page;
  const send = (body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | null): Response =>
    new Response(BODILESS.has(status) ? null : body, { status, headers: headersOf(headers) });
  if (page.body !== undefined) {
    await ended('delivered');
    return send(new Uint8Array(page.body));
  }
  if (begun === undefined) {
    await ended('delivered');
    return send(null);
  }
  return send(passOn(begun, ended));
}

function headersOf(list: SoldPage['headers']): globalThis.Headers {
  const headers = new Headers();
  for (const [name, value] of list) headers.append(name, value);
  return headers;
}

function incomingOf(request: Request, limits: SellerLimits): Incoming {
  const url = new URL(request.url);
  return {
    method: request.method,
    target: `${url.pathname}${url.search}`,
    origin: url.origin,
    header: (name) => request.headers.get(name) ?? undefined,
    async body() {
      const { body } = request;
      if (body === null) return new Uint8Array();
      const { maxRequestBytes, timeoutMs } = limits;
      // The handler reads the request itself.
      const copy = request.clone().body;
      if (copy === null) return new Uint8Array();
      const { pieces, rest } = await readBody(copy, maxRequestBytes, timeoutMs);
      if (rest === undefined) return joined(pieces);
      await Promise.all([rest.cancel(), body.cancel()]);
      return 'too_large';
    },
  };
}

/** Resolves with `undefined` if something takes too long. */
async function within<T>(work: Promise<T>, milliseconds: number): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Reads a handler's response, as far as it can be kept. */
async function pageOf(
  response: Response,
  isSettled: boolean,
  { maxResponseBytes, holdMs }: SellerLimits,
): Promise<{ readonly page: SoldPage; readonly body: ReadBody | undefined }> {
  const { status } = response;
  const headers = [...response.headers];
  const good = status < 400;
  const body = response.body ?? undefined;
  const page = { status, headers, good, whole: false, body: undefined };
  if (body === undefined) {
    return { page: { ...page, whole: true, body: new Uint8Array() }, body: undefined };
  }
  if (!good || isSettled || isStream(headers)) {
    return { page, body: { pieces: [], rest: body.getReader(), next: undefined } };
  }
  const read = await readBody(body, maxResponseBytes, holdMs);
  if (read.rest !== undefined) return { page, body: read };
  return { page: { ...page, whole: true, body: joined(read.pieces) }, body: undefined };
}
