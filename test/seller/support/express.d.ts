/** The part of Express that the tests of sellers use: its types are a package of their own, which nothing else here needs. */
declare module 'express' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Request extends IncomingMessage {
    readonly path: string;
    readonly originalUrl: string;
    readonly body: { readonly items: readonly unknown[] };
  }
  interface Response extends ServerResponse {
    status(code: number): this;
    set(name: string, value: string): this;
    json(body: unknown): this;
    send(body: unknown): this;
  }
  type Handler = (request: Request, response: Response, next: (error?: unknown) => void) => void;
  type ErrorHandler = (
    error: Error,
    request: Request,
    response: Response,
    next: (error?: unknown) => void,
  ) => void;
  interface Router {
    get(path: string, ...handlers: Handler[]): this;
    post(path: string, ...handlers: Handler[]): this;
    use(path: string, ...handlers: (Handler | Router)[]): this;
    use(...handlers: (Handler | Router)[]): this;
    use(handler: ErrorHandler): this;
  }
  type App = Router & ((request: IncomingMessage, response: ServerResponse) => void);
  function express(): App;
  namespace express {
    function json(): Handler;
    function Router(): Router;
  }
  export = express;
}
