import type { Context, Handler } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { totalOrderId } from '../../history/index.ts';
import type { HorizonView } from '../horizonView.ts';
import { HorizonRequest } from './horizonRequest.ts';
import {
  type PageQuery,
  type PageRecord,
  pageResource,
  type Resource,
  readPageQuery,
} from './paging.ts';
import { HorizonProblem } from './problem.ts';

/** Reads a single resource. */
type ReadObject = (request: HorizonRequest) => Resource | Promise<Resource>;

/** Reads a page of a collection. */
type ReadPage = (
  request: HorizonRequest,
  query: PageQuery,
) => readonly PageRecord[] | Promise<readonly PageRecord[]>;

/** How many times a changing resource is sent on one streaming connection. */
const OBJECT_EVENTS = 10;
const JSON_TYPE = 'application/hal+json; charset=utf-8';

/** Turns functions that read resources into handlers, which answer with JSON or an event stream. */
export class Answers {
  readonly #view: HorizonView;

  constructor(view: HorizonView) {
    this.#view = view;
  }

  object(read: ReadObject): Handler {
    return async (context) => {
      if (kindOf(context) !== 'json') throw new HorizonProblem('not_acceptable');
      return json(await read(new HorizonRequest(context)));
    };
  }

  /** @param readRaw reads the resource as raw bytes, for clients that accept those */
  streamedObject(
    read: ReadObject,
    readRaw?: (request: HorizonRequest) => Uint8Array<ArrayBuffer>,
  ): Handler {
    return async (context) => {
      const request = new HorizonRequest(context);
      const kind = kindOf(context);
      if (kind === 'json') return json(await read(request));
      if (kind === 'raw' && readRaw !== undefined) return new Response(readRaw(request));
      if (kind !== 'stream') throw new HorizonProblem('not_acceptable');
      let last: string | undefined;
      const next = async (): Promise<StreamEvent[]> => {
        const data = await read(request);
        const text = JSON.stringify(data);
        if (text === last) return [];
        last = text;
        return [{ data }];
      };
      return this.#stream(next, OBJECT_EVENTS);
    };
  }

  page(read: ReadPage): Handler {
    return async (context) => {
      if (kindOf(context) !== 'json') throw new HorizonProblem('not_acceptable');
      return this.#page(new HorizonRequest(context), read);
    };
  }

  streamedPage(read: ReadPage): Handler {
    return async (context) => {
      const request = new HorizonRequest(context);
      const kind = kindOf(context);
      if (kind === 'json') return this.#page(request, read);
      if (kind !== 'stream') throw new HorizonProblem('not_acceptable');
      let query = this.#query(request);
      const next = async (): Promise<StreamEvent[]> => {
        const records = await read(request, query);
        const cursor = records.at(-1)?.token;
        if (cursor !== undefined) query = { ...query, cursor };
        return records.map(({ token, resource }) => ({ id: token, data: resource }));
      };
      return this.#stream(next, query.limit);
    };
  }

  async #page(request: HorizonRequest, read: ReadPage): Promise<Response> {
    const query = this.#query(request);
    return json(pageResource(request, query, await read(request, query)));
  }

  async #stream(next: () => Promise<readonly StreamEvent[]>, limit: number): Promise<Response> {
    const { service, onFault, openAnswers } = this.#view.network;
    const source = {
      next,
      onChange: (listener: () => void) => service.onClose(listener),
      onOpen: (end: () => void) => openAnswers?.open(end) ?? (() => {}),
      onFault: (error: unknown) => onFault?.(asError(error)),
    };
    return eventStream(source, await next(), limit);
  }

  #query(request: HorizonRequest): PageQuery {
    return readPageQuery(request, () =>
      String(
        totalOrderId({
          ledger: this.#view.history.latestSequence + 1,
          transaction: 0,
          operation: 0,
        }) - 1n,
      ),
    );
  }
}

export function json(resource: Resource, status: ContentfulStatusCode = 200): Response {
  return new Response(JSON.stringify(resource, null, 2), {
    status,
    headers: { 'Content-Type': JSON_TYPE },
  });
}

export function problem({ status, body }: HorizonProblem): Response {
  return new Response(JSON.stringify(body, null, 2), {
    status,
    headers: { 'Content-Type': 'application/problem+json; charset=utf-8' },
  });
}

export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

function kindOf(context: Context): ReturnType<typeof negotiate> {
  return negotiate(context.req.header('accept'));
}

/** One event of a stream; its id is the cursor after it. */
export interface StreamEvent {
  readonly id?: string;
  readonly data: unknown;
}

/** The source of a stream's events. */
interface StreamSource {
  /** The events since the last call. */
  next(): Promise<readonly StreamEvent[]>;
  /** Calls the listener when there might be something new. Returns a function that removes it. */
  onChange(listener: () => void): () => void;
  /** Called when a stream is open, with a function that ends it. Returns a function to call when it has ended by itself. */
  onOpen(end: () => void): () => void;
  /** Called with errors; they end the stream. */
  onFault(error: unknown): void;
}

/** Streams end after this time and clients reconnect to continue, so that no stream stays open forever. */
const LONGEST_STREAM_MILLISECONDS = 55_000;

/** Maximum number of events that wait for a client before reading stops; one page can add more. */
const UNREAD_EVENTS = 16;

const OPENING = 'retry: 1000\nevent: open\ndata: "hello"\n\n';
const CLOSING = 'retry: 10\nevent: close\ndata: "byebye"\n\n';
const FAULT = 'event: error\ndata: Unexpected stream error\n\n';

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache',
  Connection: 'keep-alive',
  // Keeps proxies from buffering events.
  'X-Accel-Buffering': 'no',
};

/**
 * Answers with server-sent events: those that exist, then those of every further change, until `limit` events are sent, the
 * client disconnects, or almost a minute has passed.
 * @param first the first events of `source`, read beforehand so that an error can still be returned as a response
 */
export function eventStream(
  source: StreamSource,
  first: readonly StreamEvent[],
  limit: number,
): Response {
  const encoder = new TextEncoder();
  let end = (): void => {};
  let resume = (): void => {};
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let left = limit;
        let busy = false;
        let changed = false;
        let ended = false;
        const write = (text: string): void => controller.enqueue(encoder.encode(text));
        const stopListening = source.onChange(() => void read());
        const timer = setTimeout(() => close(CLOSING), LONGEST_STREAM_MILLISECONDS);
        timer.unref();
        let leave = (): void => {};
        end = () => {
          ended = true;
          clearTimeout(timer);
          stopListening();
          leave();
        };
        const close = (farewell: string): void => {
          if (ended) return;
          end();
          write(farewell);
          controller.close();
        };
        const send = (events: readonly StreamEvent[]): void => {
          for (const event of events.slice(0, left)) write(eventText(event));
          left -= events.length;
          if (left <= 0) close(CLOSING);
        };
        const read = async (): Promise<void> => {
          changed = true;
          if (busy) return;
          busy = true;
          try {
            // Reading pauses while the client does not read.
            while (changed && !ended && (controller.desiredSize ?? 0) > 0) {
              changed = false;
              const events = await source.next();
              if (ended) break;
              send(events);
              // There might be more than fits on one page.
              if (events.length > 0) changed = true;
            }
          } catch (error) {
            source.onFault(error);
            close(FAULT);
          } finally {
            busy = false;
          }
        };
        resume = () => {
          if (changed && !ended) void read();
        };
        write(OPENING);
        send(first);
        if (!ended) leave = source.onOpen(() => close(CLOSING));
        if (!ended && first.length > 0) void read();
      },
      pull() {
        resume();
      },
      cancel() {
        end();
      },
    },
    { highWaterMark: UNREAD_EVENTS },
  );
  return new Response(body, { headers: HEADERS });
}

function eventText({ id, data }: StreamEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/** The available kinds of answer, preferred ones first. */
type AnswerKind = 'json' | 'stream' | 'raw';

const KINDS: readonly (readonly [string, AnswerKind])[] = [
  ['application/hal+json', 'json'],
  ['application/json', 'json'],
  ['text/event-stream', 'stream'],
  ['application/octet-stream', 'raw'],
];

/** The media type that an `Accept` header prefers; undefined if it accepts none of the available ones. */
export function negotiate(accept: string | undefined): AnswerKind | undefined {
  if (accept === undefined || accept.trim() === '') return 'json';
  for (const range of rangesOf(accept)) {
    const found = KINDS.find(([type]) => isWithin(type, range));
    if (found !== undefined) return found[1];
  }
  return undefined;
}

/** The media ranges of a header, preferred ones first. */
function rangesOf(accept: string): string[] {
  return accept
    .split(',')
    .map((part) => {
      const [range = '', ...parameters] = part.split(';').map((one) => one.trim().toLowerCase());
      const quality = parameters.find((one) => one.startsWith('q='));
      return { range, quality: quality === undefined ? 1 : Number(quality.slice(2)) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ range }) => range);
}

function isWithin(type: string, range: string): boolean {
  if (range === '*/*' || range === type) return true;
  return range.endsWith('/*') && type.startsWith(range.slice(0, -1));
}
