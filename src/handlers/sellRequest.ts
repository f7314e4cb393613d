import { createHash, randomBytes } from 'node:crypto';
import { STELLAR_TESTNET, USDC_CONTRACT } from '../protocol/index.ts';
import {
  carriesPayment,
  errorAnswer,
  type Offer,
  readTarget,
  type SellerAnswer,
  type SellerRequest,
  sell,
} from '../seller/index.ts';
import type { Facilitator } from './facilitator/index.ts';
import { type ReadOptions, readPrice, type Terms } from './options.ts';
import type { Payment } from './payment.ts';
import { type Headers, ownPage, paidHeaders, readableHeaders, type SoldPage } from './soldPage.ts';

/** How long a payment stays valid after it was signed, in seconds. */
const MAX_TIMEOUT_SECONDS = 120;

/** One request, as an adapter reads it. */
export interface Incoming {
  readonly method: string;
  /** Path and query of the request line, as it came. */
  readonly target: string;
  /** Origin that the buyer asked, such as `http://127.0.0.1:3000`. */
  readonly origin: string;
  /** @param name in lower case */
  header(name: string): string | undefined;
  /** Reads the body and leaves it to be read by the handler; asked for only if the request pays. */
  body(): Promise<Uint8Array | 'too_large'>;
}

/** What an adapter sends. */
export type Result =
  /** The seller's own answer: the handler was not asked. */
  | { readonly kind: 'answer'; readonly answer: SellerAnswer }
  /**
   * A response of the handler: of this request, or the one that was kept.
   * @property page without `body` it is the one that the handler of this request began
   * @property headers all of them
   */
  | {
      readonly kind: 'page';
      readonly page: SoldPage;
      readonly headers: Headers;
      /** To call when the response ended; see `Sold`. */
      ended(how: 'delivered' | 'broken'): Promise<void>;
    };

/** Sells requests of one route. */
export type SellRequest = (
  incoming: Incoming,
  serve: (payment: Payment) => Promise<SoldPage>,
) => Promise<Result>;

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

/** Connects terms with a seller's options and its facilitator. @throws SellerOptionError */
export function openRoute(
  options: ReadOptions,
  facilitator: Facilitator,
  terms: Terms,
): SellRequest {
  const amount = readPrice(terms.price);
  const { payTo, serviceName, publicOrigin, protocols, book, page, onError } = options;

  function offerOf(url: string, extra: Offer['extra']): Offer {
    const { description, mimeType, tags, extensions = {}, settle = 'after' } = terms;
    return {
      ...{ network: STELLAR_TESTNET, asset: USDC_CONTRACT, amount, payTo },
      ...{ maxTimeoutSeconds: MAX_TIMEOUT_SECONDS, extra, extensions, settle },
      page: page && { ...page, nonce: randomBytes(16).toString('base64') },
      resource: {
        url,
        ...(description === undefined ? {} : { description }),
        ...(mimeType === undefined ? {} : { mimeType }),
        ...(serviceName === undefined ? {} : { serviceName }),
        ...(tags === undefined ? {} : { tags }),
      },
    };
  }

  return async (incoming, serve) => {
    const { method } = incoming;
    const pageOrigin = incoming.header('origin');
    const answered = ({ headers, ...rest }: SellerAnswer): Result => ({
      kind: 'answer',
      answer: { ...rest, headers: [...headers, ...readableHeaders(pageOrigin)] },
    });
    const target = readTarget(incoming.target);
    const [problem] = target.problems;
    if (problem !== undefined) {
      return answered(
        errorAnswer(
          400,
          'ambiguous_path',
          `Servers read this request differently (${problem}), so it is not served. Send the plain spelling.`,
        ),
      );
    }
    const own = withoutPayment(incoming);
    if (own !== undefined) return answered(own);
    const isPaying = carriesPayment((name) => incoming.header(name.toLowerCase()), protocols);
    const body = isPaying ? await incoming.body() : new Uint8Array();
    if (body === 'too_large') {
      const message = 'The body of the request is longer than the seller reads. Nothing was taken.';
      return answered(errorAnswer(413, 'body_too_large', message));
    }
    const extra = await facilitator.extra();
    if (extra === undefined) {
      return answered(
        errorAnswer(
          503,
          'facilitator_unavailable',
          'The facilitator does not answer, so nothing is sold now. Nothing was taken.',
          [['retry-after', '5']],
        ),
      );
    }
    const path = `${target.path}${target.query}`;
    const offer = offerOf(`${publicOrigin ?? incoming.origin}${path}`, extra);
    const request: SellerRequest = {
      ...{ method, target: path },
      bodyDigest: body.length === 0 ? '' : createHash('sha256').update(body).digest('base64'),
      header: (name) => incoming.header(name.toLowerCase()),
    };
    const sold = await sell<SoldPage>(offer, request, {
      ...{ protocols, book, pause, onError },
      ask: (call) => facilitator.ask(call),
      async serve({ protocol, payer, payment }, transaction) {
        const { asset } = offer;
        try {
          return await serve({
            ...{ protocol: protocol.name, payer, amount: payment.amount, asset, transaction },
          });
        } catch (error) {
          onError(error);
          return ownPage(500, 'handler_failed', 'The seller failed to serve this request.');
        }
      },
    });
    if (sold.kind === 'answer') return answered(sold.answer);
    const { response: page, headers } = sold;
    return {
      ...{ kind: 'page', page, headers: paidHeaders(page.headers, headers, protocols, pageOrigin) },
      ended: sold.kind === 'sold' ? sold.ended : async () => {},
    };
  };
}

/** Answers what asks for no resource, without the handler: HEAD and OPTIONS cannot be paid for, and show nothing of it. */
function withoutPayment({ method, header }: Incoming): SellerAnswer | undefined {
  if (method === 'HEAD') {
    return { status: 200, headers: [['cache-control', 'no-store']], body: '' };
  }
  if (method !== 'OPTIONS') return undefined;
  const asked = header('access-control-request-method');
  const wanted = header('access-control-request-headers');
  const preflight: Headers =
    asked === undefined
      ? []
      : [
          ['access-control-allow-methods', asked],
          ['access-control-allow-headers', wanted ?? '*'],
          ['access-control-max-age', '600'],
        ];
  return { status: 204, headers: preflight, body: '' };
}
