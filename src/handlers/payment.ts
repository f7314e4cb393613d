import type { AtomicAmount } from '../protocol/index.ts';

/** The payment of a request, as its handler sees it. */
export interface Payment {
  /** The protocol: `x402` or `mpp`. */
  readonly protocol: string;
  /** Address that pays; verified. */
  readonly payer: string;
  /** Atomic units of `asset`. */
  readonly amount: AtomicAmount;
  /** Contract of the asset. */
  readonly asset: string;
  /** Hash of the settlement with `settle: 'before'`; otherwise the payment is settled after the response is there. */
  readonly transaction: string | undefined;
}

const payments = new WeakMap<object, Payment>();

/** Notes the payment of a request. */
export function notePayment(request: object, payment: Payment): void {
  payments.set(request, payment);
}

/**
 * Returns the payment of a request that is being served; `undefined` if it was not sold by a seller of this process.
 * @param request what the handler got: a Fetch `Request` (`c.req.raw` in Hono), or the request of Node, Express or Fastify
 *   (`request.raw`)
 *
 * @example
 * ```ts
 * import { paymentOf } from 'svc-x402/seller';
 *
 * console.log(paymentOf(new Request('http://127.0.0.1/weather'))); // undefined
 * ```
 */
export function paymentOf(request: object): Payment | undefined {
  return payments.get(request);
}
