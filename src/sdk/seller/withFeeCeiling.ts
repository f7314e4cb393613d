import type { Requirements, SupportedKind } from './schemeTypes.ts';

/** The part of a seller's scheme that completes its terms. */
interface Enhances<R, K> {
  enhancePaymentRequirements(requirements: R, kind: K, extensions: string[]): Promise<R>;
}

/** Adds the facilitator's fee ceiling to the terms, if the facilitator has one. */
export function addFeeCeiling<R extends Pick<Requirements, 'extra'>>(
  requirements: R,
  kind: Pick<SupportedKind, 'extra'>,
): R {
  const ceiling = kind.extra?.['maxTransactionFeeStroops'];
  if (typeof ceiling !== 'string') return requirements;
  const extra = { ...requirements.extra, maxTransactionFeeStroops: ceiling };
  return { ...requirements, extra };
}

/**
 * Makes a seller's scheme repeat the facilitator's fee ceiling in every 402 as
 * `extra.maxTransactionFeeStroops`. A payer then knows before it signs whether the facilitator accepts the
 * fee: a smart account's payment costs more than a plain one (upstream #3515).
 *
 * `server.register('stellar:testnet', withFeeCeiling(new ExactStellarScheme()))`
 * @example with the published packages
 * ```ts
 * import { HTTPFacilitatorClient, x402ResourceServer } from '@x402/core/server';
 * import { ExactStellarScheme } from '@x402/stellar/exact/server';
 * import { withFeeCeiling } from 'svc-x402-sdk';
 *
 * const facilitator = new HTTPFacilitatorClient({ url: 'http://127.0.0.1:4021' });
 * const scheme = withFeeCeiling(new ExactStellarScheme());
 * const server = new x402ResourceServer(facilitator).register('stellar:testnet', scheme);
 * await server.initialize();
 * const [terms] = await server.buildPaymentRequirements({
 *   scheme: 'exact',
 *   network: 'stellar:testnet',
 *   payTo: seller,
 *   price: '$0.01', // 0.01 USDC
 * });
 * console.log(terms?.extra['maxTransactionFeeStroops']); // 500000
 * ```
 */
export function withFeeCeiling<
  R extends Pick<Requirements, 'extra'>,
  K extends Pick<SupportedKind, 'extra'>,
  S extends Enhances<R, K>,
>(scheme: S & Enhances<R, K>): S {
  return new Proxy(scheme, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name === 'enhancePaymentRequirements') {
        return async (requirements: R, kind: K, extensions: string[]): Promise<R> =>
          addFeeCeiling(
            await target.enhancePaymentRequirements(requirements, kind, extensions),
            kind,
          );
      }
      // A class's private fields are accessible on the object itself, never through a proxy.
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
