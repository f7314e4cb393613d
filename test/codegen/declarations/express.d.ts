// As much of Express as route files show. The fixtures are checked against its own types.
import type { IncomingMessage, ServerResponse } from 'node:http';

declare function express(): express.Express;

declare namespace express {
  interface Request<
    P = Record<string, string>,
    A = any,
    B = any,
    Q = Record<string, string | string[] | undefined>,
  > extends IncomingMessage {
    params: P;
    query: Q;
    body: B;
    path: string;
    protocol: string;
    originalUrl: string;
    header(name: string): string | undefined;
  }
  interface Response<A = any> extends ServerResponse {
    json(body: A): this;
    send(body?: A): this;
    status(code: number): this;
    sendStatus(code: number): this;
    set(name: string, value: string): this;
    type(name: string): this;
  }
  type NextFunction = (error?: unknown) => void;
  type RequestHandler<P = any, A = any, B = any, Q = any> = (
    request: Request<P, A, B, Q>,
    response: Response<A>,
    next: NextFunction,
  ) => unknown;
  type Method<Of> = <P = Record<string, string>, A = any, B = any, Q = any>(
    path: string | RegExp | string[],
    ...handlers: RequestHandler<P, A, B, Q>[]
  ) => Of;
  interface IRouter extends RequestHandler {
    get: Method<this>;
    post: Method<this>;
    put: Method<this>;
    patch: Method<this>;
    delete: Method<this>;
    head: Method<this>;
    all: Method<this>;
    use(...handlers: RequestHandler[]): this;
    use(path: string, ...handlers: RequestHandler[]): this;
    route(path: string): Chain;
  }
  interface Chain {
    get(...handlers: RequestHandler[]): this;
    put(...handlers: RequestHandler[]): this;
    delete(...handlers: RequestHandler[]): this;
  }
  type Router = IRouter;
  interface Express extends IRouter {
    listen(port?: number | string, done?: () => void): unknown;
    set(name: string, value: unknown): this;
  }
  type Application = Express;
  function Router(): Router;
  function json(): RequestHandler;
}

export = express;
