// As much of Fastify as route files show. The fixtures are checked against its own types.
import type { Server } from 'node:http';
import type { Http2Server } from 'node:http2';

interface RouteGeneric {
  Querystring?: unknown;
  Params?: unknown;
  Body?: unknown;
  Reply?: unknown;
}

type Given<G extends RouteGeneric, K extends keyof RouteGeneric> = unknown extends G[K]
  ? any
  : G[K];

export interface FastifyRequest<G extends RouteGeneric = RouteGeneric> {
  readonly method: string;
  readonly routeOptions: { readonly url?: string | undefined };
  query: Given<G, 'Querystring'>;
  params: Given<G, 'Params'>;
  body: Given<G, 'Body'>;
}

export interface FastifyReply {
  code(status: number): this;
  send(body?: unknown): this;
}

type Handler<G extends RouteGeneric> = (request: FastifyRequest<G>, reply: FastifyReply) => unknown;

interface Method<S, L> {
  <G extends RouteGeneric = RouteGeneric>(path: string, handler: Handler<G>): FastifyInstance<S, L>;
  <G extends RouteGeneric = RouteGeneric>(
    path: string,
    options: object,
    handler: Handler<G>,
  ): FastifyInstance<S, L>;
  (path: string, options: { handler: Handler<RouteGeneric> }): FastifyInstance<S, L>;
}

export interface FastifyBaseLogger {
  info(text: string): void;
}

/** Its server and its logger are part of its type, as in Fastify: one over HTTP/2 is another type. */
export interface FastifyInstance<S = Server, L = FastifyBaseLogger> {
  readonly server: S;
  readonly log: L;
  childLoggerFactory: (logger: L) => L;
  readonly prefix: string;
  hasRequestDecorator(name: string): boolean;
  decorateRequest(name: string, value: unknown): this;
  addHook(
    name: 'onSend',
    hook: (request: FastifyRequest, reply: FastifyReply, payload: unknown) => Promise<unknown>,
  ): this;
  get: Method<S, L>;
  post: Method<S, L>;
  put: Method<S, L>;
  head: Method<S, L>;
  route(options: {
    method: string | string[];
    url: string;
    schema?: object;
    handler: Handler<RouteGeneric>;
  }): this;
  register(
    plugin: (instance: FastifyInstance<S, L>, options: object) => unknown,
    options?: { prefix?: string },
  ): this;
  withTypeProvider<Provider>(): FastifyInstance<S, L>;
  listen(options: { port: number }): Promise<string>;
}

export type FastifyPluginCallback = (
  instance: FastifyInstance,
  options: object,
  done: (error?: Error) => void,
) => void;
export type FastifyPluginAsync = (instance: FastifyInstance, options: object) => Promise<void>;

declare function fastify(options: { http2: true }): FastifyInstance<Http2Server>;
declare function fastify<L extends FastifyBaseLogger>(options: {
  loggerInstance: L;
}): FastifyInstance<Server, L>;
declare function fastify(options?: object): FastifyInstance;
declare namespace fastify {
  export { fastify, fastify as default };
}

export { fastify };
export default fastify;
