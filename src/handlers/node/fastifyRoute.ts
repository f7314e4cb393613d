import type { SellerLimits } from '../options.ts';
import type { SellRequest } from '../sellRequest.ts';
import { joined } from '../web/webBody.ts';
import type { NodeResponse } from './heldResponse.ts';
import { hasBody, type NodeRequest } from './nodeRequest.ts';
import { sellNode } from './sellNode.ts';

/** The part of a request of Fastify that is used. */
export interface FastifyRequest {
  readonly raw: NodeRequest;
}

/** The part of a reply of Fastify that is used. */
export interface FastifyReply {
  readonly raw: NodeResponse;
  hijack(): unknown;
}

/** A body, before Fastify parses it. */
export interface FastifyPayload {
  [Symbol.asyncIterator](): AsyncIterator<unknown>;
}

/** The body of a request, read for the sale; Fastify parses it again from here. */
class ReadPayload {
  #pieces: readonly Uint8Array[] | undefined;
  readonly #payload: FastifyPayload;

  constructor(payload: FastifyPayload) {
    this.#payload = payload;
  }

  async read(maxBytes: number): Promise<Uint8Array | 'too_large'> {
    const pieces: Uint8Array[] = [];
    let length = 0;
    for await (const piece of this.#payload) {
      if (!(piece instanceof Uint8Array)) throw new Error('the body was decoded');
      pieces.push(piece);
      length += piece.length;
      if (length > maxBytes) return 'too_large';
    }
    this.#pieces = pieces;
    return joined(pieces);
  }

  /** @param from makes a stream of Node */
  again(from: (pieces: readonly Uint8Array[]) => unknown): unknown {
    return this.#pieces === undefined ? this.#payload : from(this.#pieces);
  }
}

/**
 * Sells a route of Fastify, in the step before it parses the body.
 * @param from makes a stream of Node
 * @returns the body for Fastify's parser, once the handler may work
 */
export async function sellFastify(
  route: SellRequest,
  limits: SellerLimits,
  {
    request,
    reply,
    payload,
  }: {
    readonly request: FastifyRequest;
    readonly reply: FastifyReply;
    readonly payload: FastifyPayload;
  },
  from: (pieces: readonly Uint8Array[]) => unknown,
  onError: (error: unknown) => void,
): Promise<unknown> {
  const body = new ReadPayload(payload);
  return new Promise((resolve, reject) => {
    let isServing = false;
    sellNode({
      ...{ route, limits, request: request.raw, response: reply.raw },
      body: async () =>
        hasBody(request.raw) ? body.read(limits.maxRequestBytes) : new Uint8Array(),
      serve() {
        isServing = true;
        resolve(body.again(from));
      },
    }).then(
      () => {
        if (isServing) return;
        // The seller answered by itself: Fastify has nothing left to do.
        reply.hijack();
        resolve(payload);
      },
      (error: unknown) => (isServing ? onError(error) : reject(error)),
    );
  });
}
