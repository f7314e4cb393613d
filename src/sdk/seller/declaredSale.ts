import { PAYMENT_IDENTIFIER } from '../exact/index.ts';

/** What a seller's terms say about a sale, in `extra["payment-identifier"]`: the buyer signs under them, and the facilitator
 * gets them from the seller. */
export interface SaleDeclaration {
  readonly method: string;
  /** Path and query. */
  readonly resource: string;
  /** The route refuses payments without an identifier. */
  readonly required?: true;
}

/** The parts of `@x402/core`'s context that are used. */
interface ChallengeContext {
  readonly requirements: readonly { extra?: Record<string, unknown> }[];
  readonly transportContext?: unknown;
}

/** The extension for `x402ResourceServer.registerExtension`. */
export interface SaleExtension {
  readonly key: typeof PAYMENT_IDENTIFIER;
  /** @param declaration the route's own, which stays unchanged */
  enrichPaymentRequiredResponse(
    declaration: unknown,
    context: ChallengeContext,
  ): Promise<undefined>;
}

type Loose = Readonly<Record<string, unknown>>;

function objectOf(value: unknown): Loose | undefined {
  return typeof value === 'object' && value !== null ? (value as Loose) : undefined;
}

/** Returns path and query of a URL. Its host is whatever the buyer wrote into the header. */
function targetOf(url: string): string | undefined {
  try {
    const { pathname, search } = new URL(url);
    return `${pathname}${search}`;
  } catch {
    return undefined;
  }
}

/** Returns the sale that a request is for; `undefined` if it did not come over HTTP. */
function saleOf({ transportContext }: ChallengeContext): SaleDeclaration | undefined {
  const request = objectOf(objectOf(transportContext)?.['request']);
  const adapter = objectOf(request?.['adapter']);
  const getUrl = adapter?.['getUrl'];
  const method = request?.['method'];
  if (typeof getUrl !== 'function' || typeof method !== 'string') return undefined;
  const url: unknown = getUrl.call(adapter);
  const resource = typeof url === 'string' ? targetOf(url) : undefined;
  return resource === undefined ? undefined : { method, resource };
}

/**
 * The extension that puts each route's sale into its terms, if the route declares payment identifiers. A facilitator answers a
 * repeated payment only if the seller's own terms say for what it was.
 */
export const saleExtension: SaleExtension = {
  key: PAYMENT_IDENTIFIER,
  async enrichPaymentRequiredResponse(declaration, context) {
    const sale = saleOf(context);
    if (sale === undefined) return undefined;
    const isRequired = objectOf(objectOf(declaration)?.['info'])?.['required'] === true;
    const declared = isRequired ? { ...sale, required: true } : sale;
    for (const terms of context.requirements) {
      // Terms that a route declares by itself stay.
      if (terms.extra?.[PAYMENT_IDENTIFIER] !== undefined) continue;
      terms.extra = { ...terms.extra, [PAYMENT_IDENTIFIER]: declared };
    }
    return undefined;
  },
};
