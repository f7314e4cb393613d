import { Readable } from 'node:stream';
import { connectFacilitator } from './facilitator/index.ts';
import {
  type FastifyPayload,
  type FastifyReply,
  type FastifyRequest,
  sellFastify,
} from './node/fastifyRoute.ts';
import type { NodeResponse } from './node/heldResponse.ts';
import { type NodeRequest, readNodeBody } from './node/nodeRequest.ts';
import { sellNode } from './node/sellNode.ts';
import { readOptions, type SellerOptions, type Terms } from './options.ts';
import { openRoute } from './sellRequest.ts';
import { sellWeb } from './web/sellWeb.ts';

/** A handler of Fetch requests. */
export type FetchHandler = (request: Request) => Response | Promise<Response>;

/** Middleware of connect's kind: Express, or a server of `node:http` that calls it by itself. */
export type NodeMiddleware = (
  request: NodeRequest,
  response: NodeResponse,
  next: (error?: unknown) => void,
) => void;

/** The part of a context of Hono that is used. */
export interface HonoContext {
  readonly req: { readonly raw: Request };
  get res(): Response;
  set res(response: Response | undefined);
}

/** Middleware of Hono. */
export type HonoMiddleware = (context: HonoContext, next: () => Promise<void>) => Promise<void>;

/** Options of a route of Fastify. */
export interface FastifyRoute {
  readonly preParsing: (
    request: FastifyRequest,
    reply: FastifyReply,
    payload: FastifyPayload,
  ) => Promise<unknown>;
}

/** Sells the requests of an app's routes. Each method takes the terms of a route, and throws `SellerOptionError` for a bad price. */
export interface Seller {
  /** Wraps a Fetch handler. */
  fetch(terms: Terms, handler: FetchHandler): (request: Request) => Promise<Response>;
  /** Returns middleware for Express, connect and `node:http`. Put it before what writes the response. */
  node(terms: Terms): NodeMiddleware;
  /** Returns middleware for Hono. */
  hono(terms: Terms): HonoMiddleware;
  /** Returns the options of a route of Fastify. */
  fastify(terms: Terms): FastifyRoute;
}

/**
 * Makes a seller. A request without a payment gets the price (402), and the handler is not asked. A paid one is verified, served,
 * kept and settled, in this order, and then answered: no byte of a response leaves before its payment has settled. A status of 400
 * or more settles nothing. The identical request gets the response that is kept, without a second payment and without the handler.
 *
 * @throws SellerOptionError if an option cannot be used
 *
 * @example
 * ```ts
 * import { createSeller, paymentOf } from 'svc-x402/seller';
 *
 * const seller = createSeller({
 *   payTo: 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57',
 *   facilitator: 'http://127.0.0.1:4021',
 * });
 * export const weather = seller.fetch({ price: '0.01' }, (request) =>
 *   Response.json({ tempC: 19, paidBy: paymentOf(request)?.payer }),
 * );
 * ```
 */
export function createSeller(options: SellerOptions): Seller {
  const read = readOptions(options);
  const { limits, onError } = read;
  const facilitator = connectFacilitator(read.facilitator, () => performance.now());
  const open = (terms: Terms): ReturnType<typeof openRoute> => openRoute(read, facilitator, terms);
  return {
    fetch(terms, handler) {
      const route = open(terms);
      return (request) => sellWeb(route, request, limits, async (sold) => handler(sold));
    },
    hono(terms) {
      const route = open(terms);
      return async (context, next) => {
        const paid = await sellWeb(route, context.req.raw, limits, async () => {
          await next();
          return context.res;
        });
        // Removed first: Hono would write the headers of the handler's response over those of the paid one.
        context.res = undefined;
        context.res = paid;
      };
    },
    node(terms) {
      const route = open(terms);
      return (request, response, next) => {
        let isServing = false;
        sellNode({
          ...{ route, limits, request, response },
          body: () => readNodeBody(request, limits.maxRequestBytes),
          serve() {
            isServing = true;
            next();
          },
        }).catch((error: unknown) => (isServing ? onError(error) : next(error)));
      };
    },
    fastify(terms) {
      const route = open(terms);
      const from = (pieces: readonly Uint8Array[]): unknown => Readable.from(pieces);
      return {
        preParsing: (request, reply, payload) =>
          sellFastify(route, limits, { request, reply, payload }, from, onError),
      };
    },
  };
}
