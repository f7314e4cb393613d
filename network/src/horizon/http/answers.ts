import type { Context, Handler } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { totalOrderId } from '../../history/index.ts';
import type { HorizonView } from '../horizonView.ts';
import { eventStream, type StreamEvent } from './eventStream.ts';
import { HorizonRequest } from './horizonRequest.ts';
import { negotiate } from './negotiate.ts';
import { type PageRecord, pageResource, type Resource } from './page.ts';
import { type PageQuery, readPageQuery } from './pageQuery.ts';
import { HorizonProblem } from './problem.ts';

/** Reads a single resource. */
export type ReadObject = (request: HorizonRequest) => Resource | Promise<Resource>;

/** Reads a page of a collection. */
export type ReadPage = (
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
