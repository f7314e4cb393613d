// As much of Fastify as route files show. The fixtures are checked against its own types.
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

interface Method {
  <G extends RouteGeneric = RouteGeneric>(path: string, handler: Handler<G>): FastifyInstance;
  <G extends RouteGeneric = RouteGeneric>(
    path: string,
    options: object,
    handler: Handler<G>,
  ): FastifyInstance;
  (path: string, options: { handler: Handler<RouteGeneric> }): FastifyInstance;
}

export interface FastifyInstance {
  readonly prefix: string;
  hasRequestDecorator(name: string): boolean;
  decorateRequest(name: string, value: unknown): this;
  addHook(
    name: 'onSend',
    hook: (request: FastifyRequest, reply: FastifyReply, payload: unknown) => Promise<unknown>,
  ): this;
  get: Method;
  post: Method;
  put: Method;
  head: Method;
  route(options: {
    method: string | string[];
    url: string;
    schema?: object;
    handler: Handler<RouteGeneric>;
  }): this;
  register(
    plugin: (instance: FastifyInstance, options: object) => unknown,
    options?: { prefix?: string },
  ): this;
  withTypeProvider<Provider>(): FastifyInstance;
  listen(options: { port: number }): Promise<string>;
}

export type FastifyPluginAsync = (instance: FastifyInstance, options: object) => Promise<void>;

declare function fastify(options?: object): FastifyInstance;
declare namespace fastify {
  export { fastify, fastify as default };
}

export { fastify };
export default fastify;
