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
