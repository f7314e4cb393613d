import { xdr } from '@stellar/stellar-sdk';

/** Negative if `a` is the lower price, 0 if both are equal as fractions. */
export function comparePrices(a: xdr.Price, b: xdr.Price): number {
  // The products stay below 2^62 but can exceed 2^53, hence bigint.
  const left = BigInt(a.n) * BigInt(b.d);
  const right = BigInt(b.n) * BigInt(a.d);
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** The same price, seen from the other side of the market. */
export function inversePrice(price: xdr.Price): xdr.Price {
  return new xdr.Price({ n: price.d, d: price.n });
}

/** True if a price is a positive fraction. */
export function isPriceValid(price: xdr.Price): boolean {
  return price.n > 0 && price.d > 0;
}
